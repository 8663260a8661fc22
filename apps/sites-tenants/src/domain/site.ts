import { Flag, Items, PartialType, PickType, Text } from '@libs/fields';
import { ADDRESS, addressOf, ID, ID_RULE, isReserved, URL_LENGTH } from './names';

const TENANT = '${tenant_id}';

/** A site of the installation (platform contract, 3.2). */
export class Site {
  @Text({ max: 50, match: ID, rule: ID_RULE }) site_id!: string;
  @Flag({ description: 'One site of an installation is the primary one' }) primary!: boolean;
  @Text(ADDRESS) base_url!: string;
  @Text({
    max: URL_LENGTH,
    nullable: true,
    default: null,
    description: 'Holds ${tenant_id}; primary site only',
  })
  tenant_base_url_template!: string | null;
  @Text({ max: 50, match: ID, rule: ID_RULE }) site_admin_tenant_id!: string;
  @Items(String, {
    match: ID,
    rule: ID_RULE,
    max: 50,
    unique: true,
    description: 'Services that the site runs',
  })
  services!: string[];
}

export class SitePatch extends PartialType(
  PickType(Site, ['base_url', 'services', 'tenant_base_url_template']),
) {}

/** Rules over several attributes; looks at whatever of the body is there. */
export function brokenSiteRules(site: Partial<Site>): string[] {
  const broken: string[] = [];
  const { site_id, primary, tenant_base_url_template: template } = site;
  if (isReserved(site_id)) broken.push(`site_id: "${site_id}" is a reserved word`);
  if (primary === true && typeof template !== 'string')
    broken.push('tenant_base_url_template: is missing, the primary site needs one');
  if (primary === false && typeof template === 'string')
    broken.push('tenant_base_url_template: is for the primary site only');
  if (primary === true && typeof template === 'string' && !isTemplate(template))
    broken.push(
      `tenant_base_url_template: must be the address of a host, http(s)://…, that holds ${TENANT} once`,
    );
  return broken;
}

function isTemplate(template: string): boolean {
  const address = template.replace(TENANT, 'tenant');
  return (
    template.split(TENANT).length === 2 &&
    ADDRESS.match.test(address) &&
    addressOf(address) !== undefined
  );
}

/** The tenant that the primary site's template would find behind this address, if any. */
export function tenantBehind(template: string | null, address: string): string | undefined {
  const [before, after] = (template ?? '').toLowerCase().replace(/\/$/, '').split(TENANT);
  const text = address.toLowerCase();
  if (before === undefined || after === undefined) return undefined;
  if (!text.startsWith(before) || !text.endsWith(after)) return undefined;
  const id = text.slice(before.length, text.length - after.length);
  return ID.test(id) ? id : undefined;
}

/** As it is kept: addresses in one spelling. */
export const tidySite = <T extends Partial<Site>>(site: T): T => ({
  ...site,
  ...(site.base_url === undefined ? {} : { base_url: addressOf(site.base_url) }),
});
