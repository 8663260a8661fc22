/** A connection to a directory, as the registry keeps it (platform contract, 3.3). */
export interface LdapRecord {
  ldap_id: string;
  url: string;
  port: number;
  use_ssl: boolean;
  user_dn: string;
  bind_dn: string;
  /** Name of the secret that holds the password, never the password. */
  bind_credential: string;
  account_type: 'user' | 'service';
}

/** `custom_idp_configuration.ldap` of a tenant. */
export interface LdapSearchRules {
  default_page_limit?: number;
  /** What lists people. */
  user_search_prefix?: string;
  /** What everybody must match besides, as a group; who does not is nobody here. */
  user_search_supplemental_filter?: string;
  /** What finds one person, with `${username}`; then the entry's own name is what is bound as. */
  user_search_filter?: string;
}

const PLACE = '${username}';

/** Where the people of a directory are, and which attribute names them. */
export interface PeoplePlace {
  attribute: string;
  base: string;
}

/** `<attribute>=${username},<base>` says both; else the attribute is cn when the bind name begins with it, or uid. */
export function placeOf({ user_dn, bind_dn }: LdapRecord): PeoplePlace {
  const template = /^\s*([\w-]+)\s*=\s*\$\{username\}\s*,\s*(.*)$/s.exec(user_dn);
  if (template) return { attribute: template[1]!, base: template[2]! };
  return { attribute: /^\s*cn\s*=/i.test(bind_dn) ? 'cn' : 'uid', base: user_dn };
}

/** The name of somebody's entry. What the person typed can't end the first part of it (RFC 4514, 2.4). */
export function userDn(record: LdapRecord, username: string): string {
  const { attribute, base } = placeOf(record);
  return `${attribute}=${escapeDnValue(username)},${base}`;
}

export function escapeDnValue(value: string): string {
  return value
    .replace(/[\\,+"<>;=#]/g, (c) => `\\${c}`)
    .replace(/^ | $/g, '\\20')
    .replace(/[\0-\x1f\x7f]/g, hex);
}

/** What is pasted into a filter matches as text and nothing else (RFC 4515, 3). */
export function escapeFilterValue(value: string): string {
  return value.replace(/[\\*()\0]/g, hex);
}

/** Finds one person. */
export function personFilter(record: LdapRecord, rules: LdapSearchRules, username: string): string {
  const { attribute } = placeOf(record);
  const value = escapeFilterValue(username);
  const own = rules.user_search_filter;
  const named = `(${attribute}=${value})`;
  if (!own) return both(named, rules.user_search_supplemental_filter);
  const found = own.includes(PLACE)
    ? inBrackets(own.replaceAll(PLACE, value))
    : both(named, inBrackets(own));
  return both(found, rules.user_search_supplemental_filter);
}

/** Lists everybody who may log in. */
export function peopleFilter(record: LdapRecord, rules: LdapSearchRules): string {
  const { attribute } = placeOf(record);
  const all = inBrackets(rules.user_search_prefix ?? `(${attribute}=*)`);
  return both(all, rules.user_search_supplemental_filter);
}

/** Whether a person is looked for before the bind, because the name of the entry does not follow from theirs. */
export const isFoundFirst = ({ user_search_filter }: LdapSearchRules): boolean =>
  !!user_search_filter?.includes(PLACE);

const both = (a: string, b: string | undefined): string => (b ? `(&${a}${inBrackets(b)})` : a);
const inBrackets = (filter: string): string => (filter.startsWith('(') ? filter : `(${filter})`);
const hex = (c: string): string => `\\${c.charCodeAt(0).toString(16).padStart(2, '0')}`;
