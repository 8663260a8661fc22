import { Moment, Text } from '@libs/fields';

/** Parts of a job that can be shared for reading. */
export const SHARED_PARTS = [
  'JOB_HISTORY',
  'JOB_RESUBMIT_REQUEST',
  'JOB_OUTPUT',
  'JOB_INPUT',
] as const;
export type SharedPart = (typeof SHARED_PARTS)[number];

/** One part of a job shared with one user. */
export class ShareRecord {
  @Text() tenant!: string;
  @Text() createdby!: string;
  @Text() jobUuid!: string;
  @Text() grantee!: string;
  @Text() jobResource!: string;
  @Text() jobPermission!: string;
  @Moment() created!: string;
}
