export type SearchType = 'string' | 'integer' | 'number' | 'boolean' | 'timestamp' | 'tags';

/** An attribute that lists can be searched for. */
export interface SearchField {
  name: string;
  type: SearchType;
}

/** A pattern: texts, `any` for any run of characters, `one` for exactly one. */
export type PatternPart = string | { wild: 'any' | 'one' };

/** One condition as it is meant, before it is written in any language. */
export interface Leaf extends SearchField {
  op: string;
  /** Texts, numbers and booleans; times as the text that stands in the condition. */
  values: (string | number | boolean)[];
  pattern?: PatternPart[];
}
export type Tree = Leaf | { all: Tree[] } | { any: Tree[] };
export type SearchedRecord = Readonly<Record<string, unknown>>;

/**
 * Whether the record fits, straight from the words of the contract (systems-apps 1.4, ruling 58): a plain walk over
 * the tree that shares nothing with the search library.
 */
export function fits(tree: Tree, record: SearchedRecord): boolean {
  if ('all' in tree) return tree.all.every((one) => fits(one, record));
  if ('any' in tree) return tree.any.some((one) => fits(one, record));
  const given = record[tree.name];
  // "a missing value matches no condition"
  if (given === undefined || given === null) return false;
  if (tree.type === 'tags') {
    const common = tree.values.some((one) => (given as unknown[]).includes(one));
    return tree.op === 'contains' || tree.op === 'in' ? common : !common;
  }
  if (tree.pattern) return expression(tree.pattern).test(String(given)) === (tree.op === 'like');
  const mine = comparable(tree.type, given);
  const theirs = tree.values.map((one) => comparable(tree.type, one));
  const [first, second] = theirs.map((one) => order(mine, one));
  switch (tree.op) {
    case 'eq':
      return first === 0;
    case 'neq':
      return first !== 0;
    case 'lt':
      return first! < 0;
    case 'lte':
      return first! <= 0;
    case 'gt':
      return first! > 0;
    case 'gte':
      return first! >= 0;
    case 'between':
      return first! >= 0 && second! <= 0;
    case 'nbetween':
      return !(first! >= 0 && second! <= 0);
    case 'in':
      return theirs.some((one) => order(mine, one) === 0);
    case 'nin':
      return theirs.every((one) => order(mine, one) !== 0);
    default:
      throw new Error(`no operator ${tree.op}`);
  }
}

export function mentionsField(tree: Tree, name: string): boolean {
  if ('all' in tree) return tree.all.some((one) => mentionsField(one, name));
  if ('any' in tree) return tree.any.some((one) => mentionsField(one, name));
  return tree.name === name;
}

function expression(pattern: PatternPart[]): RegExp {
  const parts = pattern.map((part) =>
    typeof part === 'string'
      ? part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      : part.wild === 'any'
        ? '[^]*'
        : '[^]',
  );
  return new RegExp(`^${parts.join('')}$`, 'u');
}

function comparable(type: SearchType, value: unknown): string | number {
  if (type === 'timestamp') return moment(String(value));
  return type === 'string' ? String(value) : Number(value);
}

/** Milliseconds of a time whose last parts may be missing: the earliest; without a zone UTC. */
function moment(text: string): number {
  const [, date, clock = '', zone = 'Z'] = /^([\d-]+)(?:T([\d:.]+?))?(Z|[+-]\d\d:\d\d)?$/.exec(
    // a date may end like a zone: 2026-01 has none
    text.length <= 10 ? `${text}Z` : text,
  ) as unknown as string[];
  const [year, month = 1, day = 1] = date!.split('-').map(Number);
  const [hour = 0, minute = 0, second = 0] = clock.split(':').filter(Boolean).map(Number);
  const [sign, hours, minutes] =
    zone === 'Z' ? [1, 0, 0] : [zone[0] === '-' ? -1 : 1, +zone.slice(1, 3), +zone.slice(4)];
  const local = Date.UTC(year!, month - 1, day, hour, minute, 0) + Math.round(second * 1000);
  return local - sign * (hours * 60 + minutes) * 60_000;
}

/** Texts by code point. */
function order(a: string | number, b: string | number): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  const [mine, theirs] = [[...a], [...b]];
  for (let i = 0; i < Math.min(mine.length, theirs.length); i++) {
    const difference = mine[i]!.codePointAt(0)! - theirs[i]!.codePointAt(0)!;
    if (difference) return difference;
  }
  return mine.length - theirs.length;
}
