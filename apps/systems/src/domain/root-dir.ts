/** `HOST_EVAL($NAME, default)` at the start of a directory, and what follows it. */
export interface HostEval {
  name: string;
  fallback?: string;
  tail: string;
}

const HOST_EVAL = /^\/?HOST_EVAL\(\s*\$?([A-Za-z_]\w*)\s*(?:,\s*(\S+?)\s*)?\)(.*)$/s;

/** The macro of a directory; undefined when there is none, or one that is not well-formed. */
export function hostEvalOf(directory: string): HostEval | undefined {
  const [, name, fallback, tail = ''] = HOST_EVAL.exec(directory) ?? [];
  if (name === undefined || tail.includes('HOST_EVAL')) return undefined;
  return { name, ...(fallback === undefined ? {} : { fallback }), tail };
}

/** The three variables that are resolved once, at creation. */
export function withVariables(
  text: string,
  values: { apiUserId: string; owner: string; tenant: string },
): string {
  return text.replace(
    /\$\{(apiUserId|owner|tenant)\}/g,
    (_, name: keyof typeof values) => values[name],
  );
}

/** One leading slash, none at the end, none doubled, no dots. */
export function normalised(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
