import { defineField } from './define-field';
import { type Class, type Field, fieldMap, fieldsOf } from './field';

/** The named fields of a class. */
export function PickType<T extends object, K extends keyof T & string>(
  base: Class<T>,
  names: readonly K[],
): Class<Pick<T, K>> {
  return derive<Pick<T, K>>(
    `Pick${base.name}`,
    names.map((name) => known(base, name)),
  );
}

/** All fields of a class but the named ones. */
export function OmitType<T extends object, K extends keyof T & string>(
  base: Class<T>,
  names: readonly K[],
): Class<Omit<T, K>> {
  const left = new Set<string>(names.map((name) => known(base, name).name));
  const kept = fieldsOf(base).filter(({ name }) => !left.has(name));
  return derive<Omit<T, K>>(`Omit${base.name}`, kept);
}

/** Every field optional and without default: a patch says only what changes. */
export function PartialType<T extends object>(base: Class<T>): Class<Partial<T>> {
  return derive<Partial<T>>(`Partial${base.name}`, fieldsOf(base).map(loosened));
}

/** As PartialType, and the same for every nested object, but not for the elements of arrays. */
export function DeepPartialType<T extends object>(base: Class<T>): Class<Partial<T>> {
  const fields = fieldsOf(base).map((field): Field => {
    const { rule } = loosened(field);
    if (rule.kind !== 'part') return loosened(field);
    return { ...loosened(field), rule: { kind: 'part', of: deepPartOf(rule.of) } };
  });
  return derive<Partial<T>>(`Patch${base.name}`, fields);
}

/** The fields of all the classes; of two with one name the later one counts. */
export function IntersectionType<A extends object, B extends object>(
  a: Class<A>,
  b: Class<B>,
): Class<A & B> {
  return derive<A & B>(`${a.name}And${b.name}`, [...fieldsOf(a), ...fieldsOf(b)]);
}

function derive<T>(name: string, fields: readonly Field[]): Class<T> {
  const made = { [name]: class {} }[name]!;
  for (const field of fields) defineField(made.prototype as object, field);
  return made as unknown as Class<T>;
}

function known(base: Class, name: string): Field {
  const field = fieldMap(base).get(name);
  if (!field) throw new Error(`${base.name} has no field ${name}`);
  return field;
}

function loosened(field: Field): Field {
  return { ...field, optional: true, default: undefined };
}

const partial = new WeakMap<Class, Class>();

/** Answers the same class each time, so that the OpenAPI document has it once. */
function deepPartOf(of: () => Class): () => Class {
  return () => {
    const base = of();
    const made = partial.get(base) ?? DeepPartialType(base);
    partial.set(base, made);
    return made;
  };
}
