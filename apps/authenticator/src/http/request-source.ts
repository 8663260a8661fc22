import { Injectable } from '@nestjs/common';
import { Tenants, type TenantEntry } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import type { Request } from 'express';
import type { RequestOrigin } from '../actions/token-grants';
import { AuthenticatorSettings } from '../settings';

/** Where a request comes from and which tenant it is for. */
@Injectable()
export class RequestSource {
  constructor(
    private readonly tenants: Tenants,
    private readonly settings: AuthenticatorSettings,
  ) {}

  /** The tenant of the request's host; BadInput when there is none. */
  async tenant({ headers: { host } }: Request): Promise<TenantEntry> {
    let tenant = this.tenants.byHost(host);
    // it may have become active a moment ago
    if (!tenant && (await this.tenants.look())) tenant = this.tenants.byHost(host);
    if (tenant) return tenant;
    throw new BadInput('AUTHENTICATOR_NO_TENANT', `Host "${host ?? ''}" belongs to no tenant.`);
  }

  /** Everything of a request that a decision about tokens looks at, besides its body. */
  async origin(request: Request): Promise<RequestOrigin> {
    const { tenant_id: tenant } = await this.tenant(request);
    return { tenant, address: this.address(request), authorization: request.headers.authorization };
  }

  /** The client's address: that of the connection, or what the trusted proxies before us say of theirs. */
  address(request: Request): string {
    const said = String(request.headers['x-forwarded-for'] ?? '').split(',');
    const hops = [...said.map((hop) => hop.trim()).filter(Boolean)];
    const own = request.socket.remoteAddress ?? '';
    const { trustedProxies } = this.settings;
    const seen = trustedProxies > 0 ? (hops.at(-trustedProxies) ?? own) : own;
    return seen.replace(/^::ffff:/, '').slice(0, 64);
  }
}
