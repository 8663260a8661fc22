import { Violations } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { type Class, type Field, fieldMap } from './field';
import { parse, type ParseOptions } from './parse';

/**
 * As parse, for query parameters: values are text (`true`, `12`, `a,b`), names must be known, a
 * name may come once. `pretty` is always allowed. Not for lists: those go through the search library.
 */
export function parseQuery<T extends object>(
  of: Class<T>,
  query: unknown,
  { code = platform().code('INVALID_INPUT'), what = 'the query', ignore = [] }: ParseOptions = {},
): T {
  const fields = fieldMap(of);
  const found = new Violations();
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    const field = fields.get(name);
    if (name === 'pretty' && !field) continue;
    if (typeof value !== 'string') found.add(`${name}: must be given once, as plain text`);
    else body[name] = field ? fromText(field, value) : value;
  }
  found.throwIfAny(code, `${what} is not valid`);
  return parse(of, body, { code, what, ignore });
}

/** What cannot be read as the kind of the field stays text, and parse says what it should be. */
function fromText({ rule, optional }: Field, value: string): unknown {
  const text = value.trim();
  if (rule.kind === 'flag') {
    const flags: Record<string, boolean> = { true: true, false: false };
    return flags[text.toLowerCase()] ?? value;
  }
  if (rule.kind === 'number') {
    if (!text && optional) return undefined;
    return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : value;
  }
  if (rule.kind === 'items') return text ? text.split(',') : [];
  return value;
}
