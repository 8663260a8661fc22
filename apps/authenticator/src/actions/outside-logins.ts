import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { TenantEntry } from '@libs/auth';
import { BadInput, Forbidden } from '@libs/envelope';
import { GithubProvider } from '../clients/github-provider';
import { KnownProviders, type LoginProof, OidcProvider } from '../clients/oidc-provider';
import { OutsideHttp } from '../clients/outside-http';
import { type IdentityProvider, identityProviders } from '../domain/identity-providers';
import type { Flow } from '../domain/login-flow';
import { challengeOf } from '../domain/pkce';
import { Audit } from './audit';
import type { Arrival } from './browser-logins';
import { PageSigner } from './page-signer';
import { SignIn } from './sign-in';
import { TenantConfigs } from './tenant-configs';

const WAY = 'way-out';
const LONGEST_MS = 900_000;
/** Browsers keep cookies of 4 KiB. */
const LARGEST_WAY = 3_800;
const USERNAME = /^[^\s\p{C}]{1,120}$/u;

/** What a browser carries while its person is at an outside provider. */
interface Way {
  tenant: string;
  state: string;
  idpId: string | null;
  flow: Flow;
  at: number;
}

/** Logging in somewhere else: out with a state that only this browser knows, and back with a name. */
@Injectable()
export class OutsideLogins {
  private readonly known = new KnownProviders();

  constructor(
    private readonly http: OutsideHttp,
    private readonly signer: PageSigner,
    private readonly configs: TenantConfigs,
    private readonly signIn: SignIn,
    private readonly audit: Audit,
  ) {}

  /** Where the browser goes, and what it must bring back. */
  async begin(
    tenant: TenantEntry,
    provider: IdentityProvider,
    flow: Flow,
  ): Promise<{ url: string; way: string }> {
    const state = randomBytes(24).toString('base64url');
    const proof = this.proof(tenant, state);
    const challenge = challengeOf(proof.verifier);
    const url = await this.client(provider).authorizeUrl(challenge, state, proof);
    const { idpId } = provider;
    const said: Way = { tenant: tenant.tenant_id, state, idpId, flow, at: Date.now() };
    const way = this.signer.sign(WAY, said);
    if (way.length <= LARGEST_WAY) return { url, way };
    throw new BadInput('AUTHENTICATOR_LONG_QUERY', 'The query of this login is too long.');
  }

  /** Who came back, and what for. A state that is not this browser's own is refused (RFC 9700, 4.7). */
  async finish(
    tenant: TenantEntry,
    way: string | undefined,
    query: Record<string, unknown>,
    address: string,
  ): Promise<{ person: Arrival; flow: Flow }> {
    return this.arrival(tenant, way, query).catch(async (error: unknown) => {
      await this.audit.refused({ tenant: tenant.tenant_id, event: 'login', address }, error);
      throw error;
    });
  }

  private async arrival(
    tenant: TenantEntry,
    way: string | undefined,
    query: Record<string, unknown>,
  ): Promise<{ person: Arrival; flow: Flow }> {
    const said = this.signer.read<Way>(WAY, way);
    const mine = said?.tenant === tenant.tenant_id && said.state === query['state'];
    if (!said || !mine || Date.now() - said.at > LONGEST_MS)
      throw new BadInput(
        'AUTHENTICATOR_IDP_STATE',
        'This answer does not belong to a login that this browser began. Begin again.',
      );
    const { error, code, iss } = query;
    if (typeof error === 'string' || typeof code !== 'string' || !code)
      throw new BadInput(
        'AUTHENTICATOR_IDP_REFUSED',
        `The identity provider let nobody in: ${String(error ?? 'no code').slice(0, 200)}.`,
      );
    const config = await this.configs.of(tenant.tenant_id);
    const providers = identityProviders(config.custom_idp_configuration);
    const provider = providers.find(({ idpId }) => idpId === said.idpId);
    if (!provider)
      throw new BadInput(
        'AUTHENTICATOR_IDP_GONE',
        'This tenant has another identity provider now.',
      );
    const issuer = typeof iss === 'string' ? iss : undefined;
    const name = await this.client(provider).username(code, issuer, this.proof(tenant, said.state));
    const username = provider.append ? `${name}@${provider.idpId}` : name;
    await this.assertMayLogIn(tenant.tenant_id, username);
    const person = { tenant: tenant.tenant_id, username, idpId: provider.idpId };
    return { person, flow: said.flow };
  }

  /** Follows from the state, so that nothing secret has to be kept meanwhile. */
  private proof({ base_url }: TenantEntry, state: string): LoginProof {
    return {
      redirectUri: `${base_url}/v3/oauth2/extensions/oa2/callback`,
      nonce: this.signer.mac('nonce', state),
      verifier: this.signer.mac('verifier', state),
    };
  }

  private client(provider: IdentityProvider): OidcProvider | GithubProvider {
    return provider.kind === 'oidc'
      ? new OidcProvider(provider.settings, this.http, this.known)
      : new GithubProvider(provider.settings, this.http);
  }

  private async assertMayLogIn(tenant: string, username: string): Promise<void> {
    if (!USERNAME.test(username))
      throw new BadInput(
        'AUTHENTICATOR_USERNAME',
        'The identity provider gives a user name that is empty, too long or has blanks.',
      );
    if (!(await this.signIn.mayLogIn(tenant, username)))
      throw new Forbidden('AUTHENTICATOR_NOT_HERE', `${username} may not log in to ${tenant}.`);
  }
}
