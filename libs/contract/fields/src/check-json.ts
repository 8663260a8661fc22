export const DEEPEST = 64;

/**
 * What no store can keep and no later step should meet, looked for once in the whole body: NUL,
 * half characters, `__proto__`, nesting without end. Not recursive, so that depth itself is safe.
 */
export function checkJson(body: unknown): string[] {
  const found: string[] = [];
  const todo: { at: string; value: unknown; depth: number }[] = [{ at: '', value: body, depth: 0 }];
  while (todo.length) {
    const { at, value, depth } = todo.pop()!;
    if (typeof value === 'string') {
      if (!isStorable(value)) found.push(`${at || 'body'}: has a NUL or a broken character`);
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= DEEPEST) return [`${shortened(at)}: is nested deeper than ${DEEPEST} levels`];
      for (const [key, inner] of Object.entries(value)) {
        const path = pathOf(at, Array.isArray(value) ? Number(key) : key);
        if (key === '__proto__' || !isStorable(key)) {
          found.push(`${shortened(at || 'body')}: has a property name that is not allowed`);
        } else todo.push({ at: path, value: inner, depth: depth + 1 });
      }
    }
  }
  return found;
}

/** `a.b[2].c` */
export function pathOf(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  return parent ? `${parent}.${shortened(key)}` : shortened(key);
}

/** Names from a request are echoed, but not a page of them. */
function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

/** No NUL and no half of a character: what every database takes as text. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
