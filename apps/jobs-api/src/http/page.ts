import type { ListMetadata } from '@libs/envelope';
import { Text, Whole } from '@libs/fields';

/** Paging of a list that has no other order than its own. */
export class Page {
  @Whole({ default: 100, description: 'Below 0: as many as there may be' }) limit!: number;
  @Whole({ default: 0, min: 0 }) skip!: number;
}

export const pageMetadata = ({ limit, skip }: Page, recordCount: number): ListMetadata => ({
  recordCount,
  recordLimit: limit,
  recordsSkipped: skip,
  orderBy: '',
  startAfter: '',
  totalCount: -1,
});

/** The result of an action. */
export class Message {
  @Text() message!: string;
}
