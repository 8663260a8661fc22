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
  /** Where the list is paged by `offset`: where this page began. */
  offset?: number;
}

/** The metadata of a list that is paged by `limit` and `offset`. */
export const offsetMetadata = (page: { limit: number; offset: number }, recordCount: number) =>
  withPage({ recordCount }, { ...page, keyed: false });

/** The metadata with a hint that is not part of any answer. */
export const withPage = <M extends Partial<ListMetadata>>(metadata: M, hint: PageHint): M =>
  Object.defineProperty(metadata, PAGE, { value: hint });

export const pageOf = (metadata: object): PageHint | undefined =>
  (metadata as { [PAGE]?: PageHint })[PAGE];
