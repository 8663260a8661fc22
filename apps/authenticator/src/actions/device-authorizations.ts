import { Injectable } from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { AuthorizationProblem, type AuthorizedUser } from '../domain/authorization';
import type { Client } from '../domain/client';
import { invalidClient, OAuthProblem } from '../domain/oauth-problem';
import { codeHash, newCode, newUserCode, plainUserCode } from '../domain/one-time-code';
import { switchedOff } from '../domain/tenant-config';
import { ClientsStore } from '../store/clients.store';
import { DeviceCodesStore } from '../store/device-codes.store';
import { Audit } from './audit';
import { ClientLogin, type ClientCredentials } from './client-login';
import { shownClient } from './clients.actions';
import { RateLimits } from './rate-limits';
import { SignIn } from './sign-in';
import { TenantConfigs } from './tenant-configs';
import type { RequestOrigin } from './token-grants';

const CODE_SECONDS = 600;
const PAUSE_SECONDS = 5;
const DAY = 86_400;
const USUAL_DAYS = 30;
const TRIES = 5;

/** What a device is told (RFC 8628, 3.2), with the moment its codes end beside the seconds until then. */
export interface DeviceStart {
  client_id: string;
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  expires_at: string;
  interval: number;
}

/** Devices without a browser: a code for the device, and one for its person to type on a page. */
@Injectable()
export class DeviceAuthorizations {
  constructor(
    private readonly tenants: Tenants,
    private readonly clients: ClientsStore,
    private readonly login: ClientLogin,
    private readonly codes: DeviceCodesStore,
    private readonly configs: TenantConfigs,
    private readonly limits: RateLimits,
    private readonly signIn: SignIn,
    private readonly audit: Audit,
  ) {}

  async start(
    input: ClientCredentials & { scope?: string },
    origin: RequestOrigin,
  ): Promise<DeviceStart> {
    const { tenant, address } = origin;
    const trace = {
      tenant,
      event: 'device',
      clientId: input.client_id,
      grantType: 'device_code',
      address,
    };
    try {
      const made = await this.begin(input, origin);
      await this.audit.done({ ...trace, clientId: made.client_id }, 'STARTED');
      return made;
    } catch (error) {
      await this.audit.refused(trace, error);
      throw error;
    }
  }

  /** The client whose device waits under this code. */
  async waiting(
    tenant: string,
    typed: string,
  ): Promise<{ client: Client; userCode: string } | null> {
    const userCode = plainUserCode(typed);
    const clientId = await this.codes.waiting(tenant, codeHash(userCode));
    const client = clientId && (await this.clients.find(tenant, clientId));
    return client && client.active ? { client: shownClient(client), userCode } : null;
  }

  /** `ttlDays` is the person's wish for the token; the tenant's cap holds when it is made. */
  async approve(
    tenant: string,
    typed: string,
    user: AuthorizedUser,
    address: string,
    ttlDays = USUAL_DAYS,
  ): Promise<void> {
    const { max_access_token_ttl: most } = await this.configs.of(tenant);
    const accessSeconds = Math.min(Math.max(1, Math.round(ttlDays * DAY)), most);
    await this.answer(tenant, typed, user, address, { state: 'entered', accessSeconds });
  }

  refuse(tenant: string, typed: string, user: AuthorizedUser, address: string): Promise<void> {
    return this.answer(tenant, typed, user, address, { state: 'denied' });
  }

  private async begin(
    input: ClientCredentials & { scope?: string },
    { tenant, address, authorization }: RequestOrigin,
  ): Promise<DeviceStart> {
    await this.limits.count(tenant, address);
    const { allowable_grant_types: types } = await this.configs.of(tenant);
    if (!types.includes('device_code'))
      throw new OAuthProblem(
        'unauthorized_client',
        `The grant device_code can't be used: ${switchedOff(tenant)}`,
      );
    const known = await this.login.identify(tenant, address, input, authorization);
    if (!known) throw invalidClient(tenant, 'A device needs a client: client_id.');
    const clientId = known.client.client_id;
    await this.limits.countClient(tenant, clientId);
    const device_code = newCode();
    const user_code = await this.keep(tenant, clientId, device_code, input.scope);
    const page = `${this.tenants.tenant(tenant)!.base_url}/v3/oauth2/device?client_id=${encodeURIComponent(clientId)}`;
    return {
      client_id: clientId,
      device_code,
      user_code,
      verification_uri: page,
      verification_uri_complete: `${page}&user_code=${user_code}`,
      expires_in: CODE_SECONDS,
      expires_at: new Date(Date.now() + CODE_SECONDS * 1000).toISOString(),
      interval: PAUSE_SECONDS,
    };
  }

  private async keep(tenant: string, clientId: string, code: string, scope?: string) {
    for (let i = 0; i < TRIES; i++) {
      const userCode = newUserCode();
      const kept = await this.codes.add({
        code_hash: codeHash(code),
        user_code_hash: codeHash(userCode),
        tenant,
        client_id: clientId,
        scope: scope ?? null,
        seconds: CODE_SECONDS,
        pause_seconds: PAUSE_SECONDS,
      });
      if (kept) return userCode;
    }
    throw new Error('no user code is free');
  }

  private async answer(
    tenant: string,
    typed: string,
    user: AuthorizedUser,
    address: string,
    answer: { state: 'entered' | 'denied'; accessSeconds?: number },
  ): Promise<void> {
    const grantType = 'device_code';
    const trace = { tenant, event: 'device', username: user.username, grantType, address };
    try {
      if (!(await this.signIn.mayLogIn(tenant, user.username)))
        throw new AuthorizationProblem(
          'access_denied',
          `Tenant ${tenant} is for administrators of its site; ${user.username} is not one.`,
        );
      const hash = codeHash(plainUserCode(typed));
      if (!(await this.codes.answer(tenant, hash, { ...user, ...answer })))
        throw new AuthorizationProblem(
          'invalid_request',
          'The code is unknown, was answered before, or has expired.',
        );
      await this.audit.done(trace, answer.state === 'entered' ? 'APPROVED' : 'DENIED');
    } catch (error) {
      await this.audit.refused(trace, error);
      throw error;
    }
  }
}
