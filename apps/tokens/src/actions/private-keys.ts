import { Injectable } from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { SecurityClient, type SecretRef } from '@libs/security-client';
import { Signer } from '../domain/signer';
import { KeyLivesStore } from '../store/key-lives.store';

/** As many versions of a secret as the security kernel keeps. */
const VERSIONS = 10;

/** The private keys of the site's tenants, which lie in the security kernel, one version per rotation. */
@Injectable()
export class PrivateKeys {
  constructor(
    private readonly tenants: Tenants,
    private readonly security: SecurityClient,
    private readonly lives: KeyLivesStore,
  ) {}

  /** The key with this id, wherever it stands among the versions: the newest may belong to a cut-off rotation. */
  async withId(tenant: string, kid: string): Promise<Signer | undefined> {
    for (let version = 0, tries = 0; tries < VERSIONS; tries++) {
      const found = await this.security.secretVersion(this.place(tenant), version);
      if (!found) return undefined;
      const signer = await this.signer(tenant, found.data);
      if (signer?.kid === kid) return signer;
      version = found.version - 1;
      if (version < 1) return undefined;
    }
    return undefined;
  }

  async newest(tenant: string): Promise<Signer | undefined> {
    const found = await this.security.readSecret(this.place(tenant));
    return found && this.signer(tenant, found);
  }

  async make(tenant: string): Promise<Signer> {
    await this.security.writeSecret(this.place(tenant), { keys: '<generate-secret>' });
    return (await this.newest(tenant))!;
  }

  private async signer(tenant: string, data: Record<string, string>): Promise<Signer | undefined> {
    const key = data['privateKey'];
    return key ? Signer.of(key, (kid, exp) => this.lives.needed(kid, tenant, exp)) : undefined;
  }

  /** With the site's own secrets, because a tenant that has no key yet can't be acted for. */
  private place(tenant: string): SecretRef {
    const site = this.tenants.here?.site_admin_tenant_id ?? '';
    return { type: 'jwtsigning', name: `${tenant}+keys`, tenant: site, user: 'tokens' };
  }
}
