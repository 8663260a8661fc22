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
