import { Injectable } from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { Forbidden, NotReady } from '@libs/envelope';
import { SecurityClient, type SecretRef } from '@libs/security-client';
import { TenantRegistry } from '../clients/tenant-registry';
import { Signer } from '../domain/signer';
import { TokensSettings } from '../settings';

/** Earlier public keys that stay on the tenant's record, so that tokens signed with them stay good. */
const KEYS_KEPT = 5;

/** The key that signs for each tenant of the site. */
@Injectable()
export class SigningKeys {
  private readonly signers = new Map<string, Promise<Signer>>();

  constructor(
    private readonly settings: TokensSettings,
    private readonly tenants: Tenants,
    private readonly security: SecurityClient,
    private readonly registry: TenantRegistry,
  ) {
    tenants.onChange(() => this.signers.clear());
  }

  signerFor(tenant: string): Promise<Signer> {
    this.assertOurs(tenant);
    let signer = this.signers.get(tenant);
    if (!signer) {
      signer = this.load(tenant);
      this.signers.set(tenant, signer);
      signer.catch(() => this.signers.delete(tenant));
    }
    return signer;
  }

  /**
   * Makes a new key and puts its public half first on the tenant's record. When this is cut off in between, calling
   * it again (`reuse`: with the key that was made last) brings key and record together.
   */
  async renew(
    tenantId: string,
    options: { reuse?: boolean; status?: string } = {},
  ): Promise<string> {
    const made = options.reuse ? await this.security.readSecret(this.place(tenantId)) : undefined;
    if (!made) await this.security.writeSecret(this.place(tenantId), { keys: '<generate-secret>' });
    const signer = await this.load(tenantId);
    const { public_key, public_keys = [] } = await this.registry.tenant(tenantId);
    const old = public_keys.length || !public_key ? public_keys : [{ kid: 'first', public_key }];
    const others = old.filter((k) => k.kid !== signer.kid);
    const keys = [{ kid: signer.kid, public_key: signer.publicKey }, ...others];
    await this.registry.setKeys(tenantId, keys.slice(0, KEYS_KEPT), options.status);
    await this.tenants.refresh();
    return signer.publicKey;
  }

  private async load(tenant: string): Promise<Signer> {
    if (tenant === this.tenants.here?.site_admin_tenant_id)
      return Signer.of(this.settings.siteAdminPrivateKey);
    const secret = await this.security.readSecret(this.place(tenant));
    if (!secret?.['privateKey']) {
      throw new NotReady('TOKENS_NO_KEY', `Tenant ${tenant} has no signing key yet.`);
    }
    return Signer.of(secret['privateKey']);
  }

  /** With the site's own secrets, because a tenant that has no key yet can't be acted for. */
  private place(tenant: string): SecretRef {
    const site = this.tenants.here?.site_admin_tenant_id ?? '';
    return { type: 'jwtsigning', name: `${tenant}+keys`, tenant: site, user: 'tokens' };
  }

  private assertOurs(tenant: string): void {
    if (this.tenants.siteOf(tenant)?.site_id !== this.tenants.siteId) {
      throw new Forbidden(
        'TOKENS_TENANT',
        `Tenant "${tenant}" is not served by this tokens service.`,
      );
    }
  }
}
