import { call, freshDatabase, PlatformDouble, TokenSigner, type CallOptions } from '@libs/kit';
import { createService, listen, type Listening, type RunningService } from '@libs/service-kit';
import { sitesTenants } from '../src/service';

/** The registry with sites and tenants of a PlatformDouble in it, and the double's security kernel behind it. */
export class RunningRegistry {
  readonly env: Record<string, string | undefined> = { DATABASE_URL: freshDatabase() };
  service!: RunningService;
  private at!: Listening;

  private constructor(readonly double: PlatformDouble) {}

  static async start(): Promise<RunningRegistry> {
    const made = new RunningRegistry(await PlatformDouble.start());
    const [admin, dev, other] = made.double.directory.tenants.map((t) => ({
      ...t,
      owner: 'o@example.org',
    }));
    made.env['SEED_SITES'] = JSON.stringify(made.double.directory.sites);
    made.env['SEED_TENANTS'] = JSON.stringify([admin, dev, { ...other, public_key: null }]);
    made.double.security.giveRole('admin', 'admin', '$~site_admin');
    await made.begin();
    return made;
  }

  async begin(): Promise<void> {
    const settings = this.double.env({ LOG_LEVEL: 'silent', ...this.env });
    this.service = await createService(sitesTenants, settings);
    this.at = await listen(this.service.handler, '127.0.0.1', 0);
  }

  async stop(): Promise<void> {
    await this.at.close(100);
    await this.service.close();
  }

  async close(): Promise<void> {
    await this.stop();
    await this.double.close();
  }

  ask(path: string, options?: CallOptions) {
    return call(`${this.at.url}/v3/${path}`, options);
  }

  /** As an administrator of the site. */
  admin(method: string, path: string, body?: unknown) {
    return this.ask(path, { method, body, headers: this.double.as('admin', 'admin') });
  }
}

/** A public key that nobody else has. */
export const newKey = (): string => new TokenSigner().publicKey;

export const aSite = (id: string, more: object = {}) => ({
  site_id: id,
  primary: false,
  base_url: `https://${id}-admin.example.org`,
  site_admin_tenant_id: `${id}-admin`,
  services: ['systems', 'security', 'tokens'],
  ...more,
});

export const aTenant = (id: string, more: object = {}) => ({
  tenant_id: id,
  base_url: `https://${id}.example.org`,
  site_id: 'primary',
  token_service: `https://${id}.example.org/v3/tokens`,
  security_kernel: `https://${id}.example.org/v3/security`,
  authenticator: `https://${id}.example.org/v3/oauth2`,
  owner: 'o@example.org',
  admin_user: 'boss',
  token_gen_services: ['authenticator'],
  ...more,
});
