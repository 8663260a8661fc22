/** Any run of characters, also none. */
export const ANY = Symbol.for('search.any');
/** Exactly one character. */
export const ONE = Symbol.for('search.one');

/** A like pattern without escapes: literal texts between wildcards, no two texts in a row. */
export type Pattern = readonly (string | typeof ANY | typeof ONE)[];

/** Reads a pattern with the given wildcards; a backslash makes them, and itself, plain text. */
export function readPattern(text: string, any: string, one: string, escapable = ''): Pattern {
  const found: (string | typeof ANY | typeof ONE)[] = [];
  const specials = `${any}${one}\\${escapable}`;
  let literal = '';
  const wild = (token: typeof ANY | typeof ONE) => {
    if (literal) found.push(literal);
    literal = '';
    found.push(token);
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    const next = text[at + 1];
    if (char === '\\' && next !== undefined && specials.includes(next)) {
      literal += next;
      at++;
    } else if (char === any) wild(ANY);
    else if (char === one) wild(ONE);
    else literal += char;
  }
  if (literal) found.push(literal);
  return found;
}

/** The pattern as PostgreSQL's LIKE reads it. */
export function toLike(pattern: Pattern): string {
  return pattern
    .map((part) => {
      if (part === ANY) return '%';
      if (part === ONE) return '_';
      return (part as string).replace(/[\\%_]/g, '\\$&');
    })
    .join('');
}

/** Does the text match? Time grows with the lengths' product at most, whatever the pattern. */
export function matches(pattern: Pattern, text: string): boolean {
  const wanted: (string | symbol)[] = pattern.flatMap((part): (string | symbol)[] =>
    typeof part === 'string' ? [...part] : [part],
  );
  const chars = [...text];
  let at = 0;
  let next = 0;
  let star = -1;
  let resume = 0;
  while (at < chars.length) {
    const want = wanted[next];
    if (want === ANY) {
      star = next++;
      resume = at;
    } else if (want !== undefined && (want === ONE || want === chars[at])) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++resume;
    } else return false;
  }
  return wanted.slice(next).every((part) => part === ANY);
}
