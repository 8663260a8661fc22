/** Any class that can be made without arguments. */
export type Class<T = object> = new () => T;

/** What search, sorting and SQL see of a field. */
export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'timestamp' | 'tags' | 'json';

/** The rule for one value; `items` holds such a rule for each element, `part` a class. */
export type Rule =
  | {
      kind: 'text';
      min: number;
      max: number;
      match?: RegExp;
      rule?: string;
      multiline: boolean;
      trim: boolean;
    }
  | { kind: 'choice'; values: readonly string[]; anyCase: boolean }
  | { kind: 'flag' }
  | { kind: 'number'; whole: boolean; min: number; max: number }
  | { kind: 'moment' }
  | { kind: 'items'; each: Rule; minItems: number; maxItems: number; unique: boolean | string }
  | { kind: 'part'; of: () => Class }
  | { kind: 'json'; values: 'any' | 'text'; root: 'object' | 'object-or-text' | 'any' };

/** Everything known about one field of a class: validation, documents and lists read it. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly rule: Rule;
  readonly optional: boolean;
  /** An explicit null is kept; otherwise null is the same as leaving the field out. */
  readonly nullable: boolean;
  readonly default: unknown;
  /** May stand in a search condition. */
  readonly search: boolean;
  /** May stand in orderBy. */
  readonly sort: boolean;
  /** Is part of a list's answer when `select` is not given. */
  readonly summary: boolean;
  readonly description?: string;
  readonly example?: unknown;
}

const declared = new WeakMap<object, Map<string, Field>>();
const resolved = new WeakMap<object, ReadonlyMap<string, Field>>();

/** Records a field on a prototype; a later one of the same name replaces it. */
export function addField(prototype: object, field: Field): void {
  const own = declared.get(prototype) ?? new Map<string, Field>();
  own.set(field.name, field);
  declared.set(prototype, own);
  resolved.delete(prototype);
}

/** The fields of a class by name, inherited ones first. */
export function fieldMap(of: Class | (abstract new () => object)): ReadonlyMap<string, Field> {
  const prototype = of.prototype as object;
  let map = resolved.get(prototype);
  if (!map) {
    const chain: object[] = [];
    for (let at = prototype; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
      chain.unshift(at);
    }
    map = new Map(chain.flatMap((at) => [...(declared.get(at) ?? [])]));
    resolved.set(prototype, map);
  }
  return map;
}

/** The field records of a class, in the order of declaration. */
export function fieldsOf(of: Class | (abstract new () => object)): readonly Field[] {
  return [...fieldMap(of).values()];
}
