import type { IncomingHttpHeaders } from 'node:http';
import { Unauthenticated } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import type { Caller } from './caller';
import { routingProblem } from './routing-problem';
import type { Tenants } from './tenants';
import type { CheckedToken, TokenVerifier } from './token-verifier';

const refused = (name: string, text: string) => new Unauthenticated(platform().code(name), text);

/** The token of a request: the platform's header, else `Authorization: Bearer`. */
export function tokenIn(headers: IncomingHttpHeaders): string | undefined {
  const token = headers[platform().header('Token').toLowerCase()];
  if (typeof token === 'string' && token.trim()) return token.trim();
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** All checks of the contract, in their order, for one request; answers who asks. */
export class AccessCheck {
  constructor(
    private readonly tenants: Tenants,
    private readonly verifier: TokenVerifier,
    /** The name under which this service is known to other services and in the sites' lists. */
    private readonly service: string,
  ) {}

  async caller(
    headers: IncomingHttpHeaders,
    trackingId: string,
    { audiences = [], anySite = false }: { audiences?: readonly string[]; anySite?: boolean } = {},
  ): Promise<Caller> {
    const text = tokenIn(headers);
    if (!text)
      throw refused('TOKEN_MISSING', `The request has no ${platform().header('Token')} header`);
    const token = this.verifier.recall(text) ?? (await this.verifier.verify(text));
    if (token.accountType === 'service') await this.meetTenant(headers);
    const caller = this.identify(token, headers, trackingId);
    const problem = anySite ? undefined : routingProblem(this.service, caller, this.tenants);
    if (problem) throw refused('WRONG_SITE', problem);
    if (token.audiences.length && !audiences.includes('*'))
      if (!token.audiences.some((a) => audiences.includes(a)))
        throw refused('TOKEN_AUDIENCE', 'The token is meant for another audience');
    return caller;
  }

  /** A tenant that became active a moment ago is as unknown here as one that is none. */
  private async meetTenant(headers: IncomingHttpHeaders): Promise<void> {
    const tenant = headers[platform().header('Tenant').toLowerCase()];
    if (typeof tenant === 'string' && !this.tenants.tenant(tenant)) await this.tenants.look();
  }

  private identify(token: CheckedToken, headers: IncomingHttpHeaders, trackingId: string): Caller {
    const oboTenant = headers[platform().header('Tenant').toLowerCase()] as string | undefined;
    const oboUser = headers[platform().header('User').toLowerCase()] as string | undefined;
    const common = {
      jwtTenant: token.tenant,
      jwtUser: token.user,
      delegator: token.delegator,
      siteId: this.tenants.siteId,
      trackingId,
    };
    if (token.accountType === 'service') {
      this.checkService(token, oboTenant, oboUser);
      const userTokenHash = headers[platform().header('User-Token-Hash').toLowerCase()];
      return {
        ...common,
        tenant: oboTenant!,
        user: oboUser!,
        accountType: 'service',
        service: token.user,
        ...(typeof userTokenHash === 'string' ? { userTokenHash } : {}),
      };
    }
    if (oboTenant !== undefined || oboUser !== undefined)
      throw refused('TOKEN_OBO', 'A user token may not act on behalf of somebody else');
    if (!this.tenants.mayHavePeople(token.tenant))
      throw refused('TOKEN_TENANT', `Tenant ${token.tenant} administers a site and has no people`);
    const host = headers.host;
    if (this.tenants.byHost(host)?.tenant_id !== token.tenant)
      throw refused('WRONG_TENANT', `The token's tenant is not the tenant of host ${host ?? ''}`);
    return {
      ...common,
      tenant: token.tenant,
      user: token.user,
      accountType: 'user',
      userTokenHash: token.hash,
    };
  }

  private checkService(token: CheckedToken, oboTenant?: string, oboUser?: string): void {
    if (!oboTenant?.trim() || !oboUser?.trim())
      throw refused(
        'TOKEN_OBO',
        `A service token needs the headers ${platform().header('Tenant')} and ${platform().header('User')}`,
      );
    if (!this.tenants.isSiteAdminTenant(token.tenant))
      throw refused('TOKEN_TENANT', 'Service accounts belong to administrative tenants');
    if (!this.tenants.mayActFor(token.tenant, oboTenant))
      throw refused('TOKEN_OBO', `The token's tenant may not act for tenant ${oboTenant}`);
    if (token.targetSite !== this.tenants.siteId)
      throw refused('WRONG_SITE', 'The token is meant for another site');
  }
}
