import { Choice, Flag, Items, Text, Whole } from '@libs/fields';
import { DEFAULT_TTL_MINUTES, DELIVERY_METHODS, JOB_EVENT_CATEGORIES } from '@libs/jobs-model';

export class DeliveryTarget {
  @Choice(DELIVERY_METHODS) deliveryMethod!: (typeof DELIVERY_METHODS)[number];
  @Text({ max: 2048 }) deliveryAddress!: string;
}

export class Subscription {
  @Text({ optional: true, max: 2048 }) description?: string;
  @Flag({ default: true }) enabled!: boolean;
  @Choice([...JOB_EVENT_CATEGORIES, 'ALL']) jobEventCategoryFilter!: string;
  @Items(DeliveryTarget, { minItems: 1 }) deliveryTargets!: DeliveryTarget[];
  @Whole({ default: DEFAULT_TTL_MINUTES, min: 0 }) ttlMinutes!: number;
}
