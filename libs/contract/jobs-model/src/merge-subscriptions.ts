import type { EffectiveSubscription } from './job-definition';
import type { JobRequestBody } from './job-request';
import type { JobViolations } from './job-violations';
import type { AppRecord, RequestedSubscription } from './records';
import { DEFAULT_TTL_MINUTES, MAX_TTL_MINUTES } from './subscription';

/** The request's subscriptions, then the app's. */
export function mergeSubscriptions(
  request: JobRequestBody,
  app: AppRecord,
  v: JobViolations,
): EffectiveSubscription[] {
  const all = [...(request.subscriptions ?? []), ...(app.jobAttributes?.subscriptions ?? [])];
  return all.map((s, i) => effectiveSubscription(s, `subscriptions[${i}]`, v));
}

/** A subscription with its defaults; a life of no minutes means the default one, too long a one is cut. */
export function effectiveSubscription(
  subscription: RequestedSubscription,
  called: string,
  v: JobViolations,
): EffectiveSubscription {
  const category = subscription.jobEventCategoryFilter ?? subscription.eventCategoryFilter;
  v.check(category, 'JOBS_INVALID_SUBSCRIPTION', `${called} has no jobEventCategoryFilter`);
  for (const { deliveryMethod, deliveryAddress } of subscription.deliveryTargets) {
    const valid = deliveryMethod === 'EMAIL' ? /^\S+@\S+$/ : /^https?:\/\/\S+$/i;
    v.check(
      valid.test(deliveryAddress),
      'JOBS_INVALID_SUBSCRIPTION',
      `${called}: "${deliveryAddress}" is no address for ${deliveryMethod}`,
    );
  }
  return {
    description: subscription.description ?? null,
    enabled: subscription.enabled ?? true,
    jobEventCategoryFilter: category ?? 'ALL',
    deliveryTargets: subscription.deliveryTargets,
    ttlMinutes: Math.min(subscription.ttlMinutes || DEFAULT_TTL_MINUTES, MAX_TTL_MINUTES),
  };
}
