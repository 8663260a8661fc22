import { Injectable } from '@nestjs/common';
import { isApiError } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { decodeJwt } from 'jose';
import { TokenMaker, type TokenPair } from '../clients/token-maker';
import { OAuthProblem } from '../domain/oauth-problem';
import {
  type GrantType,
  GRANT_TYPES,
  switchedOff,
  type TenantConfig,
} from '../domain/tenant-config';
import { IssuedTokensStore } from '../store/issued-tokens.store';
import { Audit, type AuditTrace } from './audit';
import { ClientLogin, type KnownClient } from './client-login';
import { AuthorizationCodeGrant } from './grants/authorization-code.grant';
import { DeviceCodeGrant } from './grants/device-code.grant';
import type { Grant, GrantOutcome, TokenInput } from './grants/grant';
import { PasswordGrant } from './grants/password.grant';
import { RefreshTokenGrant } from './grants/refresh-token.grant';
import { Identities } from './identities';
import { RateLimits } from './rate-limits';
import { TenantConfigs } from './tenant-configs';

export type { TokenInput } from './grants/grant';
export type { RefreshToken, TokenPair as Granted } from '../clients/token-maker';

/** Where a request came from. */
export interface RequestOrigin {
  tenant: string;
  address: string;
  /** The header, when there is one. */
  authorization?: string;
}

/** How RFC 8628 spells it, beside the short name. */
const DEVICE_URN = 'urn:ietf:params:oauth:grant-type:device_code';

/** Tokens for whoever proves to have a right to them: one entry for every grant. */
@Injectable()
export class TokenGrants {
  private readonly grants: Record<Exclude<GrantType, 'implicit'>, Grant>;

  constructor(
    password: PasswordGrant,
    code: AuthorizationCodeGrant,
    refresh: RefreshTokenGrant,
    device: DeviceCodeGrant,
    private readonly configs: TenantConfigs,
    private readonly clients: ClientLogin,
    private readonly limits: RateLimits,
    private readonly identities: Identities,
    private readonly tokens: TokenMaker,
    private readonly issued: IssuedTokensStore,
    private readonly audit: Audit,
  ) {
    this.grants = {
      password,
      authorization_code: code,
      refresh_token: refresh,
      device_code: device,
    };
  }

  /** Throws an ApiError that says which rule was broken; each outcome leaves an audit record. */
  async grant(input: TokenInput, origin: RequestOrigin): Promise<TokenPair> {
    return (await this.audited(input, origin)).pair;
  }

  /** With an identity token for the client, unless it asked for scopes and openid is not among them. */
  async grantWithIdentity(
    input: TokenInput,
    origin: RequestOrigin,
  ): Promise<TokenPair & { id_token?: string }> {
    const outcome = await this.audited(input, origin);
    const { pair, clientId } = outcome;
    const wanted = clientId && (outcome.scope ?? 'openid').split(' ').includes('openid');
    if (!wanted) return pair;
    const id_token = await this.identities.token(origin.tenant, clientId, outcome);
    return { ...pair, id_token };
  }

  /**
   * For the tokens service, where whoever holds a refresh token may use it: no key of the client is asked for there, but
   * everything else is. Its address is not the caller's, so it is not counted.
   */
  async renew(refreshToken: string, clientId: string, tenant: string): Promise<TokenPair> {
    const input = {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: refreshToken,
    };
    const known = () => this.clients.active(tenant, clientId);
    return (await this.audited(input, { tenant, address: '' }, known)).pair;
  }

  /** Whoever holds a token may end it; with a refresh token everything of the same login ends. */
  async revoke(token: string, { tenant, address }: RequestOrigin): Promise<void> {
    const said = saidBy(token);
    const trace = { tenant, event: 'revoke', username: said?.username, address };
    try {
      if (said?.tenant !== tenant)
        throw new OAuthProblem('invalid_request', `The token is not one of tenant ${tenant}.`);
      await this.tokens.revoke(tenant, said.username, token).catch((error: unknown) => {
        if (!isApiError(error, 400) && !isApiError(error, 401)) throw error;
        throw new OAuthProblem('invalid_request', 'The token is not good, or no longer.');
      });
      await this.issued.revoked([said.jti]);
      await this.audit.done(trace, 'REVOKED');
    } catch (error) {
      await this.audit.refused(trace, error);
      throw error;
    }
  }

  private async audited(
    given: TokenInput,
    origin: RequestOrigin,
    known?: () => Promise<KnownClient>,
  ): Promise<GrantOutcome & { clientId?: string }> {
    const grant_type = given.grant_type === DEVICE_URN ? 'device_code' : given.grant_type;
    const input = { ...given, grant_type };
    const { tenant, address } = origin;
    const { username, client_id: clientId } = input;
    const trace: AuditTrace = {
      tenant,
      event: 'token',
      username,
      clientId,
      grantType: grant_type,
      address,
    };
    try {
      return await this.attempt(input, origin, trace, known);
    } catch (error) {
      await this.audit.refused(trace, error);
      throw error;
    }
  }

  private async attempt(
    input: TokenInput,
    { tenant, address, authorization }: RequestOrigin,
    trace: AuditTrace,
    known?: () => Promise<KnownClient>,
  ) {
    if (!known) await this.limits.count(tenant, address);
    const config = await this.configs.of(tenant);
    const grant = this.grants[allowed(input.grant_type, config)];
    const client = known
      ? await known()
      : await this.clients.identify(tenant, address, input, authorization);
    const clientId = client?.client.client_id;
    if (clientId !== undefined) {
      trace.clientId = clientId;
      await this.limits.countClient(tenant, clientId);
    }
    const about = (username: string) => void (trace.username = username);
    const outcome = await grant.give({ tenant, address, config, client, input, about });
    return { ...outcome, clientId };
  }
}

/** The grant type if the tenant allows it; the refusal names the switch. */
function allowed(
  type: string,
  { tenant_id: tenant, allowable_grant_types: types }: TenantConfig,
): Exclude<GrantType, 'implicit'> {
  const refused = (why: string) =>
    new OAuthProblem('unsupported_grant_type', `Invalid grant_type "${type}": ${why}`);
  if (type === 'implicit')
    throw refused('its tokens come from the page authorize with response_type=token.');
  if (!(GRANT_TYPES as readonly string[]).includes(type))
    throw refused(`tenant ${tenant} allows ${types.filter((t) => t !== 'implicit').join(', ')}.`);
  if (!types.includes(type as GrantType)) throw refused(switchedOff(tenant));
  return type as Exclude<GrantType, 'implicit'>;
}

/** Not checked here: the tokens service looks at the signature. */
function saidBy(token: string) {
  try {
    const claims = decodeJwt(token);
    const user = /^(.+)@([^@]+)$/.exec(String(claims.sub));
    const tenant = claims[platform().claim('tenant_id')];
    return user ? { tenant, username: user[1]!, jti: String(claims.jti) } : undefined;
  } catch {
    return undefined;
  }
}
