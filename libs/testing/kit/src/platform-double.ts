import { NotFound } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import type { Directory } from '@libs/auth';
import { DoubleServer, type DoubleHandler, type DoubleRequest } from './platform-double-http';
import { DOUBLE_PASSWORD, DoubleSecurity } from './platform-double-security';
import { TokenSigner, type TokenSpec } from './tokens';

const SERVICES = [
  'systems',
  'apps',
  'files',
  'jobs',
  'security',
  'tokens',
  'tenants',
  'authenticator',
];

/**
 * The platform around one service under test: registry, tokens and security kernel answer over HTTP from memory;
 * other services by `serve`; the authenticator knows everybody but `nobody`. Tenants `admin`, `dev` (host localhost or 127.0.0.1) and `other` (other.localhost).
 */
export class PlatformDouble {
  readonly security = new DoubleSecurity();
  readonly signer = new TokenSigner();
  /** A key no tenant has. */
  readonly stranger = new TokenSigner();
  readonly revoked: { jti: string; exp: number }[] = [];
  directory!: Directory;
  private readonly server = new DoubleServer();

  static async start(): Promise<PlatformDouble> {
    const double = new PlatformDouble();
    await double.signer.init();
    await double.server.start();
    const { port } = new URL(double.url);
    double.directory = double.registry(Number(port));
    const { server, security } = double;
    server.serve('GET', '/v3/sites', () => double.directory.sites);
    server.serve('GET', '/v3/tenants', () => double.directory.tenants);
    server.serve('GET', '/v3/tenants/:id', (request) => double.tenant(request));
    server.serve('PUT', '/v3/tenants/:id', (request) =>
      Object.assign(double.tenant(request), request.body),
    );
    server.serve('GET', '/v3/tokens/revoked', () => double.revoked);
    server.serve('POST', '/v3/tokens', (request) => double.issue(request));
    server.serve('GET', '/v3/oauth2/profiles/:user', ({ params: { user } }) => {
      if (user === 'nobody') throw new NotFound('OAUTH_USER_NOT_FOUND', `no user ${user}`, user);
      return { username: user };
    });
    for (const method of ['GET', 'POST', 'DELETE'])
      server.serve(method, '/v3/security/*rest', (request) => security.answer(request));
    return double;
  }

  get url(): string {
    return this.server.url;
  }

  /** Every request that came in, in order. */
  get requests(): DoubleRequest[] {
    return this.server.requests;
  }

  /** Another service's route, e.g. `serve('GET', '/v3/systems/:id', ({ params }) => ({ id: params.id }))`. */
  serve(method: string, route: string, handler: DoubleHandler): void {
    this.server.serve(method, route, handler);
  }

  /** Settings for a service under test; give DATABASE_URL and the like in `more`. */
  env(more: Record<string, string | undefined> = {}): Record<string, string | undefined> {
    return {
      PLATFORM_NAME: platform().lower,
      LOG_LEVEL: 'error',
      INTERNAL_URL: this.url,
      PRIMARY_URL: this.directory.tenants[0]!.base_url,
      SERVICE_PASSWORD: DOUBLE_PASSWORD,
      ALLOW_PRIVATE_ADDRESSES: 'true',
      NODE_ENV: 'test',
      ...more,
    };
  }

  userToken(user = 'testuser1', tenant = 'dev', more: Partial<TokenSpec> = {}): string {
    return this.signer.token({ user, tenant, ...more });
  }

  serviceToken(service: string, more: Partial<TokenSpec> = {}): string {
    return this.signer.token({ user: service, tenant: 'admin', accountType: 'service', ...more });
  }

  /** Headers of a request by a user; the host is the tenant's. */
  as(user = 'testuser1', tenant = 'dev', more: Partial<TokenSpec> = {}): Record<string, string> {
    return {
      [platform().header('Token')]: this.userToken(user, tenant, more),
      host: new URL(this.directory.tenants.find((t) => t.tenant_id === tenant)!.base_url).host,
    };
  }

  /** Headers of a request by a service on behalf of a user. */
  asService(service: string, user = 'testuser1', tenant = 'dev'): Record<string, string> {
    return {
      [platform().header('Token')]: this.serviceToken(service),
      [platform().header('Tenant')]: tenant,
      [platform().header('User')]: user,
    };
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private tenant({ params }: DoubleRequest): object {
    const found = this.directory.tenants.find((t) => t.tenant_id === params['id']);
    if (!found) throw new NotFound('TENANTS_TENANT_NOT_FOUND', `tenant ${params['id']}`);
    return found;
  }

  private issue({ body }: DoubleRequest): unknown {
    const wanted = body as Record<string, string>;
    const token = this.serviceToken(wanted['token_username']!, {
      targetSite: wanted['target_site_id'],
    });
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    return {
      access_token: { access_token: token, expires_at, expires_in: 3600, jti: 'double' },
    };
  }

  private registry(port: number): Directory {
    const tenant = (tenant_id: string, base_url: string) => ({
      tenant_id,
      base_url,
      site_id: 'primary',
      status: 'ACTIVE',
      public_key: this.signer.publicKey,
      token_service: `${base_url}/v3/tokens`,
      security_kernel: `${base_url}/v3/security`,
      authenticator: `${base_url}/v3/oauth2`,
      admin_user: 'admin',
      token_gen_services: ['authenticator'],
    });
    return {
      sites: [
        {
          site_id: 'primary',
          primary: true,
          base_url: `http://localhost:${port}`,
          tenant_base_url_template: `http://\${tenant_id}.localhost:${port}`,
          site_admin_tenant_id: 'admin',
          services: SERVICES,
        },
      ],
      tenants: [
        tenant('admin', `http://admin.localhost:${port}`),
        tenant('dev', `http://localhost:${port}`),
        tenant('other', `http://other.localhost:${port}`),
      ],
    };
  }
}

export { call, type CallAnswer, type CallOptions } from './platform-double-call';
export { TokenSigner, type DoubleHandler, type DoubleRequest, type TokenSpec };
