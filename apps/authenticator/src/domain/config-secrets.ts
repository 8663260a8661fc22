import type { ConfigChange, TenantConfig } from './tenant-config';

/** Stands where a secret is, in answers and in the table. Sent back in a change it means "as it was". */
export const MASK = '********';

/** Members whose values are secrets, at any depth. */
const SECRET = /(secret|password|client_key|decode_key)$/i;

type Json = unknown;

/** Replaces every secret by what `by` answers for its path, such as `custom_idp_configuration.oidc.client_secret`. */
function replaced(value: Json, by: (path: string, secret: Json) => Json, path = ''): Json {
  if (Array.isArray(value))
    return value.map((one, i) => replaced(one, by, `${path}.${idOf(one) ?? i}`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const at = path ? `${path}.${name}` : name;
      const secret = SECRET.test(name) && typeof inner === 'string' && inner !== '';
      return [name, secret ? by(at, inner) : replaced(inner, by, at)];
    }),
  );
}

/** Providers of a list are known by their ids: their order may change. */
function idOf(value: Json): string | undefined {
  const id = (value as { idp_id?: unknown } | null)?.idp_id;
  return typeof id === 'string' ? id : undefined;
}

/** The change without its secrets, and those by their paths. */
export function splitSecrets(change: ConfigChange): {
  plain: ConfigChange;
  secrets: Record<string, string>;
} {
  const secrets: Record<string, string> = {};
  const plain = replaced(change, (path, secret) => {
    if (secret !== MASK) secrets[path] = String(secret);
    return MASK;
  }) as ConfigChange;
  return { plain, secrets };
}

/** Paths of the secrets that a record says it has. */
export function secretPaths(config: ConfigChange): string[] {
  const paths: string[] = [];
  replaced(config, (path) => paths.push(path));
  return paths;
}

/** The record with its secrets in their places; one that is not known is empty. */
export function withSecrets(config: TenantConfig, secrets: Record<string, string>): TenantConfig {
  return replaced(config, (path) => secrets[path] ?? '') as TenantConfig;
}

/** The record as it may be shown. */
export const masked = (config: TenantConfig): TenantConfig =>
  replaced(config, () => MASK) as TenantConfig;
