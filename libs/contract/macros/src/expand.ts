import { MacroError } from './macro-error';

/** Values by macro name. A name with an undefined value is known, yet has none in this job. */
export type MacroValues = ReadonlyMap<string, string | undefined>;

const MACRO = /\$\{([A-Za-z_]\w*)\}/g;
/** Directories may refer to one another, this deep. */
const MAX_DEPTH = 16;

/** Replaces each known macro once, from left to right; what is unknown or without a value stays as it is. */
export function expandOnce(text: string, values: MacroValues): string {
  return text.replace(MACRO, (whole, name: string) => values.get(name) ?? whole);
}

/**
 * Replaces every macro, also those in the values. `value` answers a macro's value (undefined: none in this job;
 * it throws for a name that is unknown). A cycle, a macro without a value and a malformed `${` are errors.
 */
export async function expandAll(
  text: string,
  value: (name: string, within: readonly string[]) => Promise<string | undefined>,
  within: readonly string[] = [],
): Promise<string> {
  if (within.length > MAX_DEPTH)
    throw new MacroError(`macros are nested more than ${MAX_DEPTH} deep`);
  let result = '';
  let end = 0;
  for (const found of text.matchAll(MACRO)) {
    const name = found[1]!;
    if (within.includes(name))
      throw new MacroError(`macro ${[...within, name].join(' > ')} is a cycle`);
    const inner = await value(name, [...within, name]);
    if (inner === undefined || inner === '')
      throw new MacroError(`macro \${${name}} has no value in this job`);
    result += text.slice(end, found.index);
    result += await expandAll(inner, value, [...within, name]);
    end = found.index + found[0].length;
  }
  const rest = text.slice(end);
  const plain = text.replace(MACRO, '');
  if (plain.includes('${')) throw new MacroError(`"${text}" holds a malformed macro`);
  return result + rest;
}

/** A lookup in a table of values that knows all names. */
export const fromTable =
  (values: MacroValues) =>
  (name: string): Promise<string | undefined> => {
    if (!values.has(name)) return Promise.reject(new MacroError(`macro \${${name}} is unknown`));
    return Promise.resolve(values.get(name));
  };
