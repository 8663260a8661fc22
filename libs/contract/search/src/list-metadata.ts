import type { ListMetadata } from '@libs/envelope';
import type { ListQuery } from './list-query';

/** The metadata object of a list's answer; `total` only when computeTotal was asked for. */
export function listMetadata(
  { given, computeTotal }: ListQuery,
  recordCount: number,
  total?: number,
): ListMetadata {
  return {
    recordCount,
    recordLimit: given.limit ?? -1,
    recordsSkipped: given.skip ?? -1,
    orderBy: given.orderBy ?? '',
    startAfter: given.startAfter ?? '',
    totalCount: computeTotal && total !== undefined ? total : -1,
  };
}
