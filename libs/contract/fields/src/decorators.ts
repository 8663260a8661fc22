import { defineField } from './define-field';
import type { Class, FieldType, Rule } from './field';
import type { FieldOptions, ItemsRules, NumberRules, TextRules } from './options';

const LONGEST_TEXT = 65_536;
const MOST_ITEMS = 10_000;
/** The range of the integer columns that most numbers end in. */
const INT4 = { min: -2_147_483_648, max: 2_147_483_647 };

/** A string. */
export function Text(options: FieldOptions & TextRules = {}): PropertyDecorator {
  return field('string', textRule(options, isRequired(options) ? 1 : 0), options);
}

/** One of the given words; `anyCase` takes other letter cases too and stores the given one. */
export function Choice(
  values: readonly string[],
  options: FieldOptions & { anyCase?: boolean } = {},
): PropertyDecorator {
  return field('string', { kind: 'choice', values, anyCase: options.anyCase ?? false }, options);
}

/** true or false. */
export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return field('boolean', { kind: 'flag' }, options);
}

/** A whole number, of 32 bits unless min and max say more. */
export function Whole(options: FieldOptions & NumberRules = {}): PropertyDecorator {
  const { min = INT4.min, max = INT4.max } = options;
  return field('integer', { kind: 'number', whole: true, min, max }, options);
}

/** A number that may have a fraction. */
export function Decimal(options: FieldOptions & NumberRules = {}): PropertyDecorator {
  const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE } = options;
  return field('number', { kind: 'number', whole: false, min, max }, options);
}

/** A point in time, ISO 8601 with zone; kept as text, in UTC with milliseconds. */
export function Moment(options: FieldOptions = {}): PropertyDecorator {
  return field('timestamp', { kind: 'moment' }, options);
}

/**
 * An array. `of` is String, Number, a list of allowed words, or the class of the elements; the
 * rules min, max, match, rule, multiline and trim are for each element.
 */
export function Items(
  of: StringConstructor | NumberConstructor | readonly string[] | Class | (() => Class),
  options: FieldOptions & ItemsRules = {},
): PropertyDecorator {
  const { minItems = 0, maxItems = MOST_ITEMS, unique = false } = options;
  const each = elementRule(of, options);
  const type = each.kind === 'text' || each.kind === 'choice' ? 'tags' : 'json';
  return field(type, { kind: 'items', each, minItems, maxItems, unique }, options);
}

/** An object of the given class; a function that answers the class allows circles. */
export function Part(of: Class | (() => Class), options: FieldOptions = {}): PropertyDecorator {
  return field('json', { kind: 'part', of: lazily(of) }, options);
}

/**
 * Free JSON: an object with any content, with `values: 'text'` an object of strings, with
 * `root: 'any'` any JSON value, with `root: 'object-or-text'` an object or a string that holds one.
 */
export function Json(
  options: FieldOptions & {
    values?: 'any' | 'text';
    root?: 'object' | 'object-or-text' | 'any';
  } = {},
): PropertyDecorator {
  const { values = 'any', root = 'object' } = options;
  return field('json', { kind: 'json', values, root }, options);
}

function field(type: FieldType, rule: Rule, options: FieldOptions): PropertyDecorator {
  const { optional = false, nullable = false, search = false, sort, summary = false } = options;
  return (prototype, name) =>
    defineField(prototype, {
      name: String(name),
      type,
      rule,
      optional,
      nullable,
      default: options.default,
      search,
      sort: sort ?? (search && type !== 'tags' && type !== 'json'),
      summary,
      description: options.description,
      example: options.example,
    });
}

function isRequired(options: FieldOptions): boolean {
  return !options.optional && options.default === undefined;
}

function textRule(rules: TextRules, shortest: number): Rule & { kind: 'text' } {
  const { min = shortest, max = LONGEST_TEXT, match, rule } = rules;
  const { multiline = false, trim = true } = rules;
  // g and y would make a pattern remember where it stopped last time
  const stateless = match && new RegExp(match.source, match.flags.replace(/[gy]/g, ''));
  return { kind: 'text', min, max, match: stateless, rule, multiline, trim };
}

function elementRule(of: Parameters<typeof Items>[0], rules: ItemsRules): Rule {
  if (of === String) return textRule(rules, 1);
  if (of === Number) {
    return { kind: 'number', whole: true, min: rules.min ?? INT4.min, max: rules.max ?? INT4.max };
  }
  if (typeof of !== 'function') return { kind: 'choice', values: of, anyCase: false };
  return { kind: 'part', of: lazily(of as Class) };
}

/** Classes have a prototype, arrow functions have none. */
function lazily(of: Class | (() => Class)): () => Class {
  return of.prototype ? () => of as Class : (of as () => Class);
}
