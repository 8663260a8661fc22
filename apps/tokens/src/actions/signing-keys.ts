import { Injectable } from '@nestjs/common';
import { keyId, Tenants } from '@libs/auth';
import { Forbidden, NotReady } from '@libs/envelope';
import { Signer } from '../domain/signer';
import { TokensSettings } from '../settings';
import { PrivateKeys } from './private-keys';

/**
 * The key that signs for each tenant of the site: the one whose public half is on the tenant's record. The record
 * decides, so a rotation that was cut off changes nothing.
 */
@Injectable()
export class SigningKeys {
  private readonly signers = new Map<string, Promise<Signer>>();

  constructor(
    private readonly settings: TokensSettings,
    private readonly tenants: Tenants,
    private readonly privateKeys: PrivateKeys,
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

  private async load(tenant: string): Promise<Signer> {
    if (tenant === this.tenants.here?.site_admin_tenant_id)
      return Signer.of(this.settings.siteAdminPrivateKey);
    const { public_key } = this.tenants.tenant(tenant)!;
    const signer = public_key && (await this.privateKeys.withId(tenant, await keyId(public_key)));
    if (!signer) throw new NotReady('TOKENS_NO_KEY', `Tenant ${tenant} has no signing key yet.`);
    return signer;
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
