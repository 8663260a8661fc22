/** Ids of sites, tenants and LDAP records become parts of paths, of host names and of role names. */
export const ID = /^[a-zA-Z0-9-]+$/;
export const ID_RULE = 'may hold letters, digits and - only';

/** The last parts of paths that are something else than the id of a site or tenant. */
export const RESERVED_IDS = ['owners', 'ldaps', 'ready', 'hello', 'healthcheck', 'readycheck'];

export const isReserved = (id: unknown): boolean =>
  typeof id === 'string' && RESERVED_IDS.includes(id.toLowerCase());

export const URL_LENGTH = 2000;

/** Where people and services call a tenant or a site: a host, nothing behind it. */
export const ADDRESS = {
  max: URL_LENGTH,
  match: /^https?:\/\/[^\s/?#@\\]+\/?$/i,
  rule: 'must be the address of a host, http(s)://…, without a path',
};

export const WEB_URL = {
  max: URL_LENGTH,
  match: /^https?:\/\/[^\s/?#@\\]+(\/\S*)?$/i,
  rule: 'must be a URL, http(s)://…',
};

/** The one spelling of an address that is kept and compared; undefined for what is none. */
export function addressOf(url: unknown): string | undefined {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : undefined;
}
