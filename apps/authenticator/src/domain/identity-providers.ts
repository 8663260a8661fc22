/** An OpenID provider outside, found by its issuer or given by explicit addresses. */
export interface OidcSettings {
  client_id: string;
  client_secret?: string;
  issuer?: string;
  /** The names of the real platform's `multi_keycloak` are taken too. */
  identity_redirect_url?: string;
  oauth2_token_url?: string;
  user_info_url?: string;
  jwks_url?: string;
  scope?: string;
}

export interface GithubSettings {
  client_id: string;
  client_secret: string;
  /** For GitHub Enterprise and tests; github.com unless given. */
  base_url?: string;
  api_url?: string;
}

/** One outside provider of a tenant. */
export type IdentityProvider = {
  /** Null when it is the tenant's only one. */
  idpId: string | null;
  name: string;
  description: string;
  /** User names become `<name>@<idp_id>`. */
  append: boolean;
} & ({ kind: 'oidc'; settings: OidcSettings } | { kind: 'github'; settings: GithubSettings });

type Json = Record<string, unknown>;
export const PROVIDER_KEYS = ['ldap', 'github', 'oidc', 'multi_idps'] as const;
const OUTSIDE_KEYS = ['oidc', 'github'] as const;

/** The outside providers that `custom_idp_configuration` names; none when people come from a directory. */
export function identityProviders(config: Json): IdentityProvider[] {
  const multi = config['multi_idps'] as { idps?: Json[] } | undefined;
  if (multi?.idps)
    return multi.idps.flatMap((idp) => {
      const idpId = String(idp['idp_id']);
      const name = String(idp['idp_name'] ?? idpId);
      const description = String(idp['idp_description'] ?? '');
      const append = idp['append_idp_to_username'] === true;
      return provider(idp, { idpId, name, description, append });
    });
  return provider(config, { idpId: null, name: '', description: '', append: false });
}

function provider(config: Json, about: Omit<IdentityProvider, 'kind' | 'settings'>) {
  for (const kind of OUTSIDE_KEYS)
    if (config[kind]) return [{ ...about, kind, settings: config[kind] } as IdentityProvider];
  return [];
}

/** What is wrong with a `custom_idp_configuration`, one text each; empty when it can be used. */
export function identityProviderProblems(config: Json): string[] {
  const at = 'custom_idp_configuration';
  const keys = Object.keys(config);
  const problems = keys
    .filter((key) => !(PROVIDER_KEYS as readonly string[]).includes(key))
    .map((key) => `${at}.${key}: is not one of ${PROVIDER_KEYS.join(', ')}`);
  if (keys.length > 1) problems.push(`${at}: names at most one provider`);
  for (const key of keys) {
    if (key === 'multi_idps') problems.push(...multiProblems(config[key], `${at}.${key}`));
    else problems.push(...settingsProblems(key, config[key], `${at}.${key}`));
  }
  return problems;
}

function multiProblems(value: unknown, at: string): string[] {
  const idps = (value as Json | null)?.['idps'];
  if (!Array.isArray(idps) || !idps.length || idps.length > 50)
    return [`${at}.idps: must be a list of 1 to 50 providers`];
  const ids = idps.map((idp: Json | null) => idp?.['idp_id']);
  const problems = idps.flatMap((idp: Json | null, i) => {
    const place = `${at}.idps[${i}]`;
    if (typeof idp !== 'object' || idp === null) return [`${place}: must be an object`];
    const found = OUTSIDE_KEYS.filter((key) => idp[key] !== undefined);
    return [
      ...(/^[\w.-]{1,40}$/.test(String(idp['idp_id'] ?? ''))
        ? []
        : [`${place}.idp_id: must be 1 to 40 letters, digits and _ . -`]),
      ...(found.length === 1 ? [] : [`${place}: must have one of ${OUTSIDE_KEYS.join(', ')}`]),
      ...found.flatMap((key) => settingsProblems(key, idp[key], `${place}.${key}`)),
    ];
  });
  if (new Set(ids).size < ids.length) problems.push(`${at}.idps: every idp_id must differ`);
  return problems;
}

const FIELDS: Record<string, { texts: string[]; urls: string[]; needed: string[] }> = {
  oidc: {
    texts: ['client_id', 'client_secret', 'scope'],
    urls: ['issuer', 'identity_redirect_url', 'oauth2_token_url', 'user_info_url', 'jwks_url'],
    needed: ['client_id'],
  },
  github: {
    texts: ['client_id', 'client_secret'],
    urls: ['base_url', 'api_url'],
    needed: ['client_id', 'client_secret'],
  },
  ldap: {
    texts: ['user_search_prefix', 'user_search_supplemental_filter', 'user_search_filter'],
    urls: [],
    needed: [],
  },
};

function settingsProblems(key: string, value: unknown, at: string): string[] {
  const fields = FIELDS[key];
  if (!fields) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${at}: must be an object`];
  const settings = value as Json;
  const problems: string[] = [];
  const { texts, urls, needed } = fields;
  for (const [name, given] of Object.entries(settings)) {
    const where = `${at}.${name}`;
    if (key === 'ldap' && name === 'default_page_limit') {
      if (!Number.isInteger(given) || Number(given) < 1 || Number(given) > 10_000)
        problems.push(`${where}: must be a whole number between 1 and 10000`);
    } else if (![...texts, ...urls].includes(name)) problems.push(`${where}: is not known`);
    else if (typeof given !== 'string' || !given || given.length > 2000)
      problems.push(`${where}: must be a text of 1 to 2000 characters`);
    else if (urls.includes(name) && !/^https?:\/\/[^\s]+$/.test(given))
      problems.push(`${where}: must be an http or https URL`);
  }
  for (const name of needed) if (!settings[name]) problems.push(`${at}.${name}: is missing`);
  if (key === 'oidc' && !settings['issuer'])
    for (const name of ['identity_redirect_url', 'oauth2_token_url'])
      if (!settings[name]) problems.push(`${at}.${name}: is missing, and so is issuer`);
  if (key === 'oidc' && !settings['issuer'] && !settings['user_info_url'] && !settings['jwks_url'])
    problems.push(`${at}: names neither user_info_url nor jwks_url, so nobody's name can be known`);
  return problems;
}
