/** Categories of job events; a subscription may also ask for ALL. */
export const JOB_EVENT_CATEGORIES = [
  'JOB_NEW_STATUS',
  'JOB_INPUT_TRANSACTION_ID',
  'JOB_ARCHIVE_TRANSACTION_ID',
  'JOB_SUBSCRIPTION',
  'JOB_SHARE_EVENT',
  'JOB_ERROR_MESSAGE',
  'JOB_USER_EVENT',
] as const;
export type JobEventCategory = (typeof JOB_EVENT_CATEGORIES)[number];

export const DELIVERY_METHODS = ['WEBHOOK', 'EMAIL'] as const;

export interface DeliveryTarget {
  deliveryMethod: (typeof DELIVERY_METHODS)[number];
  deliveryAddress: string;
}

/** One week, and the most a subscription may ask for: four. */
export const DEFAULT_TTL_MINUTES = 10_080;
export const MAX_TTL_MINUTES = 40_320;
