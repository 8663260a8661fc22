import { BadInput, Violations } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { checkJson, pathOf } from './check-json';
import { checkValue, isObject } from './check-value';
import { type Class, type Field, fieldMap } from './field';

export interface ParseOptions {
  /** Code of the error; a shared one unless given. */
  code?: string;
  /** What the input is, as the error's text names it. */
  what?: string;
  /** Properties that are dropped without a word: read-only ones of an object that is sent back. */
  ignore?: readonly string[];
}

const MOST_VIOLATIONS = 50;

/** What parsing found: a value that is whole only when nothing is wrong with it. */
export interface Inspected<T> {
  value: T;
  violations: readonly string[];
  /** Where each of all violations is: `jobAttributes.fileInputs[0].name`. */
  paths: readonly string[];
  /** The fields of the class that something is wrong with. */
  broken: ReadonlySet<string>;
}

/**
 * As parse, but tells what is wrong instead of throwing, for who has more rules to add. What is no JSON object, or has
 * what nothing can store, is a BadInput here too.
 */
export function inspect<T extends object>(
  of: Class<T>,
  body: unknown,
  { code = platform().code('INVALID_INPUT'), what = 'the body', ignore = [] }: ParseOptions = {},
): Inspected<T> {
  if (!isObject(body))
    throw new BadInput(code, `${what} is not valid`, [`${what} must be a JSON object`]);
  const found = new Violations();
  found.add(...checkJson(body).slice(0, MOST_VIOLATIONS));
  found.throwIfAny(code, `${what} is not valid`);
  const value = instance(of, body, '', found, new Set(ignore)) as T;
  const paths = found.all.map((text) => /^[^:]*/.exec(text)![0]);
  const broken = new Set(paths.map((path) => /^[^.[]*/.exec(path)![0]));
  return { value, violations: capped(found.all), paths, broken };
}

/**
 * Makes an instance of the class out of a JSON body, with defaults filled in. Whatever is wrong
 * (types, lengths, missing and unknown properties, at any depth) is in one BadInput.
 */
export function parse<T extends object>(
  of: Class<T>,
  body: unknown,
  options: ParseOptions = {},
): T {
  const { value, violations } = inspect(of, body, options);
  const { code = platform().code('INVALID_INPUT'), what = 'the body' } = options;
  if (violations.length) throw new BadInput(code, `${what} is not valid`, violations);
  return value;
}

function capped(all: readonly string[]): readonly string[] {
  if (all.length <= MOST_VIOLATIONS) return all;
  return [...all.slice(0, MOST_VIOLATIONS), `and ${all.length - MOST_VIOLATIONS} more`];
}

function instance(
  of: Class,
  body: object,
  at: string,
  found: Violations,
  ignore: ReadonlySet<string> = new Set(),
): object {
  const fields = fieldMap(of);
  const given = body as Record<string, unknown>;
  const made = new of() as Record<string, unknown>;
  const make = (inner: Class, value: object, path: string) => instance(inner, value, path, found);
  for (const name of Object.keys(given)) {
    if (!ignore.has(name)) {
      found.check(fields.has(name), `${pathOf(at, name)}: is not a known property`);
    }
  }
  for (const field of fields.values()) {
    const path = pathOf(at, field.name);
    const value = Object.hasOwn(given, field.name) ? given[field.name] : undefined;
    if (value === undefined || value === null) {
      const absent = value === null && field.nullable ? null : standIn(field, path, found, make);
      if (absent !== undefined) made[field.name] = absent;
    } else if (!ignore.has(field.name)) {
      made[field.name] = checkValue(field.rule, value, path, found, make);
    }
  }
  return made;
}

/** A default is parsed like input, so that `{}` for a part brings that part's own defaults. */
function standIn(
  field: Field,
  path: string,
  found: Violations,
  make: (of: Class, value: object, path: string) => object,
): unknown {
  if (field.default === undefined) {
    found.check(field.optional, `${path}: is missing`);
    return undefined;
  }
  if (field.rule.kind === 'part' && isObject(field.default)) {
    return make(field.rule.of(), field.default, path);
  }
  return isObject(field.default) || Array.isArray(field.default)
    ? structuredClone(field.default)
    : field.default;
}
