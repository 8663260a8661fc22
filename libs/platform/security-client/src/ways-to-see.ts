import type { VisibleResources } from './resource-access';

/**
 * The conditions in SQL under which a list shows a row of `alias`, values bound in `params`. No row fits two of them,
 * none at all means an empty list.
 */
export function waysToSee(
  { owner, ids, all }: VisibleResources,
  alias: string,
  params: unknown[],
): string[] {
  if (all) return ['TRUE'];
  const own = owner === undefined ? undefined : `$${params.push(owner)}`;
  const ways = own ? [`${alias}.owner = ${own}`] : [];
  if (ids?.length) {
    const lent = `${alias}.id = ANY($${params.push(ids)}::text[])`;
    ways.push(own ? `${lent} AND ${alias}.owner <> ${own}` : lent);
  }
  return ways;
}
