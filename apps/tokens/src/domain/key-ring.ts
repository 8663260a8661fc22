import type { TenantKey } from '@libs/auth';

/**
 * The keys of a tenant's record: the current one first, then each earlier one that still verifies a token, with the
 * time when the last of them expires. `lives` knows that of the keys of this site; of a strange key its record does.
 */
export function keyRing(
  current: TenantKey,
  recorded: readonly TenantKey[],
  lives: ReadonlyMap<string, Date>,
  now = Date.now(),
): TenantKey[] {
  const earlier = recorded
    .filter(({ kid }) => kid !== current.kid)
    .map(({ kid, public_key, until }) => ({
      kid,
      public_key,
      until: lives.get(kid)?.toISOString() ?? until ?? new Date(now).toISOString(),
    }))
    .filter(({ until }) => Date.parse(until) > now);
  return [{ kid: current.kid, public_key: current.public_key }, ...earlier];
}
