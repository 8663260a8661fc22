import type { SiteEntry, Tenants } from '@libs/auth';
import type { ServiceSettings } from '@libs/config';
import { NotFound, NotReady } from '@libs/envelope';
import { platform } from '@libs/platform-name';

export interface Route {
  /** Where to connect. */
  origin: string;
  /** Host name of the tenant, when the connection goes to an inner address. */
  host?: string;
  targetSite: string;
}

const OWN_SITE = ['security', 'tokens'];

/** Which site serves this service for this tenant, and where it is reached (section 2.6 of the contract). */
export function routeTo(
  service: string,
  tenantId: string,
  tenants: Tenants,
  settings: ServiceSettings,
): Route {
  if (service === 'tenants') return routeToPrimary(tenants, settings);
  const { here, primary } = known(tenants);
  const tenant = tenants.tenant(tenantId);
  const owner = tenants.siteOf(tenantId);
  if (!tenant || !owner) throw unknown(tenantId);
  if (OWN_SITE.includes(service)) {
    const url = owner === here ? tenant.base_url : templated(primary, tenantId);
    return at(here, url, here, settings);
  }
  return owner.services.includes(service)
    ? at(owner, tenant.base_url, here, settings)
    : at(primary, templated(primary, tenantId), here, settings);
}

/** Where the site that owns the tenant serves it. */
export function routeToOwner(tenantId: string, tenants: Tenants, settings: ServiceSettings): Route {
  const { here } = known(tenants);
  const tenant = tenants.tenant(tenantId);
  const owner = tenants.siteOf(tenantId);
  if (!tenant || !owner) throw unknown(tenantId);
  return at(owner, tenant.base_url, here, settings);
}

/** Where the primary site is reached in its own name. */
export function routeToPrimary(tenants: Tenants, settings: ServiceSettings): Route {
  const { here, primary } = known(tenants);
  return at(primary, settings.primaryUrl, here, settings);
}

const unknown = (tenantId: string) =>
  new NotFound(platform().code('TENANT_NOT_FOUND'), `Tenant ${tenantId} is not known`);

function known({ here, primary }: Tenants): { here: SiteEntry; primary: SiteEntry } {
  if (here && primary) return { here, primary };
  throw new NotReady(platform().code('NOT_READY'), 'The list of sites is not known yet');
}

function templated(primary: SiteEntry, tenantId: string): string {
  return (primary.tenant_base_url_template ?? primary.base_url).replace('${tenant_id}', tenantId);
}

function at(site: SiteEntry, url: string, here: SiteEntry, settings: ServiceSettings): Route {
  if (site !== here || !settings.internalUrl)
    return { origin: new URL(url).origin, targetSite: site.site_id };
  return {
    origin: new URL(settings.internalUrl).origin,
    host: new URL(url).host,
    targetSite: site.site_id,
  };
}
