import { Injectable } from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { NotReady } from '@libs/envelope';
import { OwnTokens } from '@libs/service-client';
import { accessClaims } from '../domain/claims';
import { Signer, type SignedToken } from '../domain/signer';
import { TokensSettings } from '../settings';

const SECONDS = 14_400;
const RENEW_BEFORE_SECONDS = 600;

/** This service signs its own tokens: nobody else could give it the first one. */
@Injectable()
export class SelfSignedTokens extends OwnTokens {
  private readonly held = new Map<string, SignedToken>();
  private signer?: Promise<Signer>;

  constructor(
    private readonly settings: TokensSettings,
    private readonly tenants: Tenants,
  ) {
    super();
  }

  async token(targetSite: string): Promise<string> {
    const held = this.held.get(targetSite);
    if (held && held.exp - Date.now() / 1000 > RENEW_BEFORE_SECONDS) return held.token;
    await this.tenants.ensureLoaded();
    const tenant = this.tenants.here?.site_admin_tenant_id;
    if (!tenant)
      throw new NotReady('TOKENS_NO_SITE', `Site ${this.tenants.siteId} is not registered yet.`);
    this.signer ??= Signer.of(this.settings.siteAdminPrivateKey);
    const claims = accessClaims({ tenant, user: 'tokens', accountType: 'service', targetSite });
    const issuer = this.tenants.tenant(tenant)?.token_service ?? '';
    const made = await (await this.signer).sign(claims, issuer, SECONDS);
    this.held.set(targetSite, made);
    return made.token;
  }

  forget(targetSite: string): void {
    this.held.delete(targetSite);
  }
}
