/** `HOST_EVAL($NAME, default)` at the start of a directory, and what follows it. */
export interface HostEval {
  name: string;
  fallback?: string;
  tail: string;
}

const MACRO = 'HOST_EVAL(';
const HOST_EVAL = /^\/?HOST_EVAL\(\s*\$?([A-Za-z_]\w*)\s*(?:,\s*([^\s,()]+)\s*)?\)(.*)$/s;

/** Whether the directory holds the macro at all, rightly or not. */
export const hasHostEval = (directory: string): boolean => directory.includes(MACRO);

/** The macro of a directory; undefined when there is none, or one that is not well-formed. */
export function hostEvalOf(directory: string): HostEval | undefined {
  const [, name, fallback, tail = ''] = HOST_EVAL.exec(directory) ?? [];
  if (name === undefined || hasHostEval(tail)) return undefined;
  return { name, ...(fallback === undefined ? {} : { fallback }), tail };
}

/** What is wrong with the macro of a directory, with its code; undefined when it is well-formed, or not there. */
export function hostEvalProblem(directory: string): string | undefined {
  if (!hasHostEval(directory) || hostEvalOf(directory)) return undefined;
  const first = directory.replace(/^\//, '');
  if (!first.startsWith(MACRO) || hasHostEval(first.slice(MACRO.length)))
    return 'SYSLIB_ROOT_HOST_EVAL_MULTIPLE HOST_EVAL($NAME) may stand once in rootDir, as its first element';
  const [, inner] = /^HOST_EVAL\(([^)]*)\)/.exec(first) ?? [];
  if (inner === undefined)
    return 'SYSLIB_HOST_EVAL_NO_MATCHES HOST_EVAL($NAME) in rootDir has no closing parenthesis';
  const name = inner.split(',')[0]!.trim().replace(/^\$/, '');
  if (!name) return 'SYSLIB_HOST_EVAL_NO_ENV_VAR HOST_EVAL in rootDir names no variable';
  if (!/^[A-Za-z_]\w*$/.test(name))
    return `SYSLIB_HOST_EVAL_INVALID_ENV_VAR HOST_EVAL in rootDir: "${name}" is not the name of a variable`;
  return 'SYSLIB_HOST_EVAL_NO_MATCHES the default of HOST_EVAL in rootDir must be one word';
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
