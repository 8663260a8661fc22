import type { Violations } from '@libs/envelope';
import { pathOf } from './check-json';
import type { Class, Rule } from './field';

/** Makes an instance of a class out of an object; given by parse, which knows the fields. */
export type MakeInstance = (of: Class, value: object, at: string) => object;

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const CONTROL_BUT_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Answers the value as the instance keeps it; what breaks the rule goes to `found`. */
export function checkValue(
  rule: Rule,
  value: unknown,
  at: string,
  found: Violations,
  make: MakeInstance,
): unknown {
  switch (rule.kind) {
    case 'text':
      return typeof value === 'string' ? text(rule, value, at, found) : bad(at, 'a string', found);
    case 'choice':
      return choice(rule, value, at, found);
    case 'flag':
      return typeof value === 'boolean' ? value : bad(at, 'true or false', found);
    case 'number':
      return number(rule, value, at, found);
    case 'moment':
      return moment(value, at, found);
    case 'part':
      return isObject(value) ? make(rule.of(), value, at) : bad(at, 'an object', found);
    case 'json':
      return json(rule, value, at, found);
    case 'items':
      return Array.isArray(value)
        ? items(rule, value, at, found, make)
        : bad(at, 'an array', found);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bad(at: string, wanted: string, found: Violations): undefined {
  found.add(`${at}: must be ${wanted}`);
  return undefined;
}

function text(rule: Rule & { kind: 'text' }, value: string, at: string, found: Violations): string {
  const kept = rule.trim ? value.trim() : value;
  if (kept.length < rule.min) {
    found.add(`${at}: must ${kept ? `have at least ${rule.min} characters` : 'not be empty'}`);
  }
  found.check(kept.length <= rule.max, `${at}: must have at most ${rule.max} characters`);
  const control = rule.multiline ? CONTROL_BUT_LINES : CONTROL;
  found.check(!control.test(kept), `${at}: must not have control characters`);
  // an allowed empty text is "nothing given", which no pattern is asked about; nor is a huge one
  if (rule.match && kept && kept.length <= rule.max) {
    found.check(rule.match.test(kept), `${at}: ${rule.rule ?? `must match ${rule.match.source}`}`);
  }
  return kept;
}

function choice(
  rule: Rule & { kind: 'choice' },
  value: unknown,
  at: string,
  found: Violations,
): string | undefined {
  const fits = rule.values.find(
    (one) =>
      one === value ||
      (rule.anyCase &&
        typeof value === 'string' &&
        one.toLowerCase() === value.trim().toLowerCase()),
  );
  return fits ?? bad(at, `one of ${rule.values.join(', ')}`, found);
}

function number(
  { whole, min, max }: Rule & { kind: 'number' },
  value: unknown,
  at: string,
  found: Violations,
): number | undefined {
  const fits = whole ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (!fits) return bad(at, whole ? 'a whole number' : 'a number', found);
  found.check((value as number) >= min, `${at}: must be at least ${min}`);
  found.check((value as number) <= max, `${at}: must be at most ${max}`);
  return value as number;
}

function moment(value: unknown, at: string, found: Violations): string | undefined {
  const time = typeof value === 'string' && MOMENT.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(time)) return bad(at, 'a time such as 2026-01-31T12:00:00Z', found);
  return new Date(time).toISOString();
}

function json(
  rule: Rule & { kind: 'json' },
  value: unknown,
  at: string,
  found: Violations,
): unknown {
  if (rule.root === 'any') return value;
  const asText = rule.root === 'object-or-text' && typeof value === 'string';
  if (asText && isObjectText(value)) return value;
  if (!isObject(value))
    return bad(at, asText ? 'an object, or the text of one' : 'an object', found);
  if (rule.values === 'text') {
    for (const [key, inner] of Object.entries(value)) {
      found.check(typeof inner === 'string', `${pathOf(at, key)}: must be a string`);
    }
  }
  return value;
}

function isObjectText(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function items(
  rule: Rule & { kind: 'items' },
  values: unknown[],
  at: string,
  found: Violations,
  make: MakeInstance,
): unknown[] {
  found.check(values.length >= rule.minItems, `${at}: must have at least ${rule.minItems} items`);
  if (
    !found.check(values.length <= rule.maxItems, `${at}: must have at most ${rule.maxItems} items`)
  ) {
    return [];
  }
  const kept = values.map((value, index) =>
    checkValue(rule.each, value, pathOf(at, index), found, make),
  );
  if (rule.unique) repeated(rule.unique, kept, at, found);
  return kept;
}

function repeated(
  unique: true | string,
  values: readonly unknown[],
  at: string,
  found: Violations,
): void {
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    const key = unique === true ? value : (value as Record<string, unknown> | undefined)?.[unique];
    if (key === undefined || key === null) continue;
    const text = JSON.stringify(key);
    const where = unique === true ? pathOf(at, index) : `${pathOf(at, index)}.${unique}`;
    found.check(!seen.has(text), `${where}: is there twice`);
    seen.add(text);
  }
}
