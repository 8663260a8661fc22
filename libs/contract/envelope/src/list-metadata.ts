/** The metadata object of a list. What was not asked for is -1 or empty. */
export interface ListMetadata {
  /** Records in this answer. */
  recordCount: number;
  recordLimit: number;
  recordsSkipped: number;
  orderBy: string;
  startAfter: string;
  /** Records that match, paging aside; -1 unless computeTotal was set. */
  totalCount: number;
}

const PAGE = Symbol.for('platform.page');

/** What the link to the next page needs to know beside the metadata that callers see. */
export interface PageHint {
  /** The longest a page may be; undefined is unlimited. */
  limit: number | undefined;
  /** No two records have the same value of the first order key, so the last one's leads on. */
  keyed: boolean;
}

/** The metadata with a hint that is not part of any answer. */
export const withPage = (metadata: ListMetadata, hint: PageHint): ListMetadata =>
  Object.defineProperty(metadata, PAGE, { value: hint });

export const pageOf = (metadata: object): PageHint | undefined =>
  (metadata as { [PAGE]?: PageHint })[PAGE];
