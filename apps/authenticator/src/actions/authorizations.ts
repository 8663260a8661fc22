import { Injectable } from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { isApiError } from '@libs/envelope';
import {
  type Authorization,
  AuthorizationProblem,
  type AuthorizationQuery,
  type AuthorizedUser,
} from '../domain/authorization';
import { codeHash, newCode } from '../domain/one-time-code';
import { isChallenge } from '../domain/pkce';
import { lifetime, switchedOff } from '../domain/tenant-config';
import { AuthorizationCodesStore } from '../store/authorization-codes.store';
import { type ClientRow, ClientsStore } from '../store/clients.store';
import { Audit } from './audit';
import { shownClient } from './clients.actions';
import { DeviceAuthorizations } from './device-authorizations';
import { RateLimits } from './rate-limits';
import { SignIn } from './sign-in';
import { TenantConfigs } from './tenant-configs';
import { TokenIssue } from './token-issue';

const CODE_SECONDS = 600;
const LONGEST = { state: 2_000, scope: 500, nonce: 500 } as const;

/** What the pages of login and consent ask: is this request right, and where does the browser go. */
@Injectable()
export class Authorizations {
  constructor(
    private readonly clients: ClientsStore,
    private readonly codes: AuthorizationCodesStore,
    private readonly configs: TenantConfigs,
    private readonly tokens: TokenIssue,
    private readonly signIn: SignIn,
    private readonly devices: DeviceAuthorizations,
    private readonly tenants: Tenants,
    private readonly limits: RateLimits,
    private readonly audit: Audit,
  ) {}

  /**
   * Throws AuthorizationProblem, which is shown as a page and never sent to the redirect URI. With the address of who
   * asks, a refusal leaves a record, and a flood of them is stopped.
   */
  async check(tenant: string, query: AuthorizationQuery, address?: string): Promise<Authorization> {
    try {
      return await this.checked(tenant, query);
    } catch (error) {
      if (address !== undefined) {
        await this.limits.count(tenant, address);
        const { client_id: clientId, response_type: type } = query;
        const grantType = type === 'token' ? 'implicit' : 'authorization_code';
        const event = 'authorize';
        await this.audit.refused({ tenant, event, clientId, grantType, address }, error);
      }
      throw error;
    }
  }

  private async checked(tenant: string, query: AuthorizationQuery): Promise<Authorization> {
    const client = await this.clients.find(tenant, query.client_id ?? '');
    if (!client?.active)
      throw new AuthorizationProblem(
        'unauthorized_client',
        `There is no client "${query.client_id ?? ''}" in tenant ${tenant}.`,
      );
    const redirectUri = redirectUriOf(client, query.redirect_uri);
    const responseType = await this.responseType(tenant, client, query.response_type);
    const codeChallenge = challengeOf(client, responseType, query);
    for (const [name, most] of Object.entries(LONGEST))
      if ((query[name as keyof typeof LONGEST]?.length ?? 0) > most)
        throw invalid(`${name} must have at most ${most} characters.`);
    const { state, scope, nonce } = query;
    return {
      tenant,
      client: shownClient(client),
      redirectUri,
      responseType,
      state,
      scope,
      nonce,
      codeChallenge,
    };
  }

  /** Where the browser goes after consent: `callback?code=…&state=…` or `callback#access_token=…`. */
  async approve(a: Authorization, user: AuthorizedUser, address: string): Promise<string> {
    const trace = this.trace(a, user, address);
    try {
      if (a.responseType === 'token') return await this.implicit(a, user, address);
      if (!(await this.signIn.mayLogIn(a.tenant, user.username)))
        throw new AuthorizationProblem(
          'access_denied',
          `Tenant ${a.tenant} is for administrators of its site; ${user.username} is not one.`,
        );
      const code = newCode();
      await this.codes.add({
        code_hash: codeHash(code),
        tenant: a.tenant,
        client_id: a.client.client_id,
        username: user.username,
        idp_id: user.idpId ?? null,
        redirect_uri: a.redirectUri,
        code_challenge: a.codeChallenge ?? null,
        nonce: a.nonce ?? null,
        scope: a.scope ?? null,
        seconds: CODE_SECONDS,
      });
      await this.audit.done(trace, 'CODE_GIVEN');
      // who answers is told as well, so that no other server's answer can be taken for ours (RFC 9207)
      const iss = `${this.tenants.tenant(a.tenant)!.base_url}/v3/oauth2`;
      return withQuery(a.redirectUri, { code, state: a.state, iss });
    } catch (error) {
      await this.audit.refused(trace, error);
      throw error;
    }
  }

  /** The person said no: that is written down; the page says so. */
  async refuse(a: Authorization, user: AuthorizedUser, address: string): Promise<void> {
    const problem = new AuthorizationProblem('access_denied', 'The user refused.');
    await this.audit.refused(this.trace(a, user, address), problem);
  }

  /** The request behind a user code, while it can still be answered. Letter case and dashes don't count. */
  device(tenant: string, userCode: string) {
    return this.devices.waiting(tenant, userCode);
  }

  /** Throws AuthorizationProblem when the code is no longer there. */
  approveDevice(
    tenant: string,
    userCode: string,
    user: AuthorizedUser,
    ttlDays?: number,
    address = '',
  ): Promise<void> {
    return this.devices.approve(tenant, userCode, user, address, ttlDays);
  }

  refuseDevice(tenant: string, userCode: string, user: AuthorizedUser, address = '') {
    return this.devices.refuse(tenant, userCode, user, address);
  }

  /** No code in between, so the token itself goes with the browser: in the fragment, which no server sees. */
  private async implicit(a: Authorization, user: AuthorizedUser, address: string) {
    const config = await this.configs.of(a.tenant);
    try {
      const { access_token: made } = await this.tokens.issue(
        { tenant: a.tenant, username: user.username, address },
        {
          grantType: 'implicit',
          clientId: a.client.client_id,
          redirectUri: a.redirectUri,
          idpId: user.idpId,
          accessSeconds: lifetime(config, 'access'),
        },
      );
      const fragment = parameters({
        access_token: made.access_token,
        token_type: 'Bearer',
        expires_in: String(made.expires_in),
        state: a.state,
      });
      return `${a.redirectUri}#${fragment}`;
    } catch (error) {
      if (isApiError(error) && error.status < 500)
        throw new AuthorizationProblem('access_denied', error.text);
      throw error;
    }
  }

  private async responseType(tenant: string, client: ClientRow, asked: string | undefined) {
    if (asked !== 'code' && asked !== 'token')
      throw new AuthorizationProblem(
        'unsupported_response_type',
        `response_type must be code or token, not "${asked ?? ''}".`,
      );
    const grant = asked === 'code' ? 'authorization_code' : 'implicit';
    const { allowable_grant_types: types } = await this.configs.of(tenant);
    if (!types.includes(grant))
      throw new AuthorizationProblem(
        'unsupported_response_type',
        `response_type ${asked} needs the grant ${grant}, and ${switchedOff(tenant)}`,
      );
    if (asked === 'token' && client.client_type === 'public')
      throw new AuthorizationProblem(
        'unauthorized_client',
        `Client "${client.client_id}" is public: it uses response_type=code with PKCE.`,
      );
    return asked;
  }

  private trace(a: Authorization, { username }: AuthorizedUser, address: string) {
    const { tenant, client, responseType } = a;
    const grantType = responseType === 'code' ? 'authorization_code' : 'implicit';
    const clientId = client.client_id;
    return { tenant, event: 'authorize', username, clientId, grantType, address };
  }
}

const invalid = (text: string) => new AuthorizationProblem('invalid_request', text);

/** Equal to the registered one, character for character (ruling 23). */
function redirectUriOf({ client_id, callback_url }: ClientRow, asked: string | undefined): string {
  if (!callback_url) throw invalid(`Client "${client_id}" has no callback_url.`);
  if (!asked) throw invalid('redirect_uri is missing.');
  if (asked !== callback_url)
    throw invalid(`redirect_uri is not the callback_url of client "${client_id}".`);
  return callback_url;
}

function challengeOf(
  client: ClientRow,
  responseType: 'code' | 'token',
  { code_challenge: challenge, code_challenge_method: method }: AuthorizationQuery,
): string | undefined {
  if (challenge === undefined && method === undefined) {
    if (responseType === 'code' && client.client_type === 'public')
      throw invalid(`Client "${client.client_id}" is public and needs PKCE: code_challenge.`);
    return undefined;
  }
  if (method !== 'S256')
    throw invalid('code_challenge_method must be S256; plain protects nothing and is not taken.');
  if (!isChallenge(challenge ?? ''))
    throw invalid('code_challenge must be a SHA-256 hash in base64url: 43 characters.');
  return challenge;
}

function parameters(values: Record<string, string | undefined>): URLSearchParams {
  const given = Object.entries(values).filter((pair): pair is [string, string] => !!pair[1]);
  return new URLSearchParams(given);
}

/** The client's own URL stays as it is, to the letter. */
function withQuery(url: string, values: Record<string, string | undefined>): string {
  const [path, ...rest] = url.split('?');
  const own = rest.length ? `${rest.join('?')}&` : '';
  return `${path}?${own}${parameters(values)}`;
}
