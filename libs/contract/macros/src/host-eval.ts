import { MacroError } from './macro-error';

export interface HostEval {
  /** Name of the environment variable on the host, without `$`. */
  variable: string;
  /** Value to take when the host has none. */
  otherwise?: string;
  /** What follows, with its macros untouched. */
  rest: string;
}

const START = /^\/?HOST_EVAL\(/;
const WHOLE = /^\/?HOST_EVAL\(\s*\$?([A-Za-z_]\w*)\s*(?:,\s*([^\s,)]+)\s*)?\)/;

/**
 * Splits `HOST_EVAL($VAR)/rest` or `HOST_EVAL($VAR, /default)/rest`; undefined when the text is something else.
 * The function stands only at the very start, once.
 */
export function splitHostEval(text: string): HostEval | undefined {
  if (!START.test(text)) {
    if (text.includes('HOST_EVAL(')) {
      throw new MacroError(`HOST_EVAL stands only at the start, not inside "${text}"`);
    }
    return undefined;
  }
  const found = WHOLE.exec(text);
  if (!found)
    throw new MacroError(`"${text}" is not HOST_EVAL($NAME) or HOST_EVAL($NAME, /default)`);
  const rest = text.slice(found[0].length);
  if (rest.includes('HOST_EVAL('))
    throw new MacroError(`HOST_EVAL stands more than once in "${text}"`);
  return { variable: found[1]!, ...(found[2] && { otherwise: found[2] }), rest };
}
