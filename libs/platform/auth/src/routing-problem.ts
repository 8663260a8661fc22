import type { Caller } from './caller';
import type { Tenants } from './tenants';

/** Served beside what a site lists: the registry (primary only) and what every site must run. */
const OWN_SITE_ONLY = ['security', 'tokens'];

/**
 * Where a site runs no authenticator, that of the primary lets its people in, and comes to this site for their tokens:
 * the keys stay here.
 */
export function byPrimarysAuthenticator(
  caller: Pick<Caller, 'service' | 'jwtTenant'>,
  { here, primary }: Tenants,
): boolean {
  return (
    caller.service === 'authenticator' &&
    caller.jwtTenant === primary?.site_admin_tenant_id &&
    here !== undefined &&
    !here.primary &&
    !here.services.includes('authenticator')
  );
}

/** Why this site must not serve the call for the caller's tenant, or undefined if it may. */
export function routingProblem(
  service: string,
  caller: Caller,
  tenants: Tenants,
): string | undefined {
  const here = tenants.here;
  const owner = tenants.siteOf(caller.tenant);
  if (!here || !owner) return 'The site of the tenant is not known';
  if (service === 'tenants')
    return here.primary ? undefined : 'The registry is at the primary site';
  const near = owner.site_id === here.site_id;
  if (OWN_SITE_ONLY.includes(service)) {
    const byService = caller.accountType === 'service';
    const own = byService ? caller.jwtTenant === here.site_admin_tenant_id : near;
    const lends = service === 'tokens' && near && byPrimarysAuthenticator(caller, tenants);
    return own || lends ? undefined : `Service ${service} answers only callers of its own site`;
  }
  if (!here.services.includes(service))
    return `Site ${here.site_id} does not run service ${service}`;
  if (near) return undefined;
  if (!here.primary) return `Site ${here.site_id} does not serve tenant ${caller.tenant}`;
  if (owner.services.includes(service))
    return `Site ${owner.site_id} runs service ${service} itself`;
  return undefined;
}
