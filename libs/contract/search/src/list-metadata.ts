import { withPage, type ListMetadata } from '@libs/envelope';
import type { ListQuery } from './list-query';

/** The metadata object of a list's answer; `total` only when computeTotal was asked for. */
export function listMetadata(
  { given, computeTotal, limit, keyed }: ListQuery,
  recordCount: number,
  total?: number,
): ListMetadata {
  const metadata = {
    recordCount,
    recordLimit: given.limit ?? -1,
    recordsSkipped: given.skip === undefined ? -1 : Math.max(0, given.skip),
    orderBy: given.orderBy ?? '',
    startAfter: given.startAfter ?? '',
    totalCount: computeTotal && total !== undefined ? total : -1,
  };
  return withPage(metadata, { limit, keyed });
}
