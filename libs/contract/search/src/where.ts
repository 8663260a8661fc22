import type { Pattern } from './pattern';

export const OPERATORS = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'nin',
  'like',
  'nlike',
  'between',
  'nbetween',
  'contains',
  'ncontains',
] as const;

export type Operator = (typeof OPERATORS)[number];

/** What kind of value an attribute has. Nothing but null forms could be asked of `json`. */
export type AttributeType =
  'string' | 'integer' | 'number' | 'boolean' | 'timestamp' | 'tags' | 'json';

/** Conditions joined by and/or; such a node has at least two members, none of its own kind. */
export type Tree<C> =
  C | { readonly and: readonly Tree<C>[] } | { readonly or: readonly Tree<C>[] };

/** One condition as it was written: values are text without escapes. */
export interface Condition {
  readonly attribute: string;
  readonly op: Operator;
  readonly values: readonly string[];
  /** In place of values for like and nlike. */
  readonly pattern?: Pattern;
  /** Where it began, for error texts: "character 5 of search". */
  readonly where: string;
}

export type Scalar = string | number | boolean;

/** One condition whose attribute is known and whose values have its type. */
export interface TypedCondition {
  readonly attribute: string;
  readonly type: AttributeType;
  readonly op: Operator;
  readonly values: readonly Scalar[];
  readonly pattern?: Pattern;
}

/** What `parse...` answers; undefined is "no condition". */
export type SearchTree = Tree<Condition>;
/** What becomes SQL or a predicate. */
export type Where = Tree<TypedCondition>;

/** Joins trees, flat where the kinds are equal; undefined ones are left out. */
export function allOf<C extends object>(
  trees: readonly (Tree<C> | undefined)[],
): Tree<C> | undefined {
  const flat = trees.flatMap((one) => (one === undefined ? [] : 'and' in one ? one.and : [one]));
  return flat.length > 1 ? { and: flat } : flat[0];
}

export function anyOf<C extends object>(
  trees: readonly (Tree<C> | undefined)[],
): Tree<C> | undefined {
  const flat = trees.flatMap((one) => (one === undefined ? [] : 'or' in one ? one.or : [one]));
  return flat.length > 1 ? { or: flat } : flat[0];
}

/** The same tree with other leaves. */
export function mapTree<C extends object, D extends object>(
  tree: Tree<C>,
  change: (condition: C) => D,
): Tree<D> {
  if ('and' in tree) return { and: tree.and.map((one) => mapTree(one, change)) };
  if ('or' in tree) return { or: tree.or.map((one) => mapTree(one, change)) };
  return change(tree);
}

/** Is there a condition on this attribute anywhere? */
export function mentions(where: Where | undefined, attribute: string): boolean {
  if (where === undefined) return false;
  if ('and' in where) return where.and.some((one) => mentions(one, attribute));
  if ('or' in where) return where.or.some((one) => mentions(one, attribute));
  return where.attribute === attribute;
}
