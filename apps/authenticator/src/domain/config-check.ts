import { identityProviderProblems } from './identity-providers';
import { mfaConfigProblems } from './mfa-config';
import type { ConfigChange, TenantConfig } from './tenant-config';

/** Everything that is wrong with a change of a tenant's config, beyond the types of its members. */
export function configProblems(change: ConfigChange, current: TenantConfig): string[] {
  const { custom_idp_configuration: idp, mfa_config: mfa } = change;
  return [
    ...urlProblems(change.token_url),
    ...(idp ? identityProviderProblems(idp) : []),
    ...(mfa ? mfaConfigProblems(mfa) : []),
    ...(['access', 'refresh'] as const).flatMap((kind) => aboveCap(kind, change, current)),
  ];
}

function urlProblems(url: string | null | undefined): string[] {
  if (!url || /^https?:\/\/\S+$/.test(url)) return [];
  return ['token_url: must be an http or https URL'];
}

function aboveCap(
  kind: 'access' | 'refresh',
  change: ConfigChange,
  current: TenantConfig,
): string[] {
  const names = [`default_${kind}_token_ttl`, `max_${kind}_token_ttl`] as const;
  if (names.every((name) => change[name] === undefined)) return [];
  const [usual, most] = names.map((name) => change[name] ?? current[name]) as [number, number];
  return usual > most ? [`${names[0]}: must not be above ${names[1]}, which is ${most}`] : [];
}
