import { NotReady, Upstream } from '@libs/envelope';
import type { Transport } from '@libs/service-client';
import type { SecurityKernelSettings } from '../settings';

const TIMEOUT_MS = 10_000;
/** A token is renewed when this part of its time is over. */
const RENEW_AFTER = 2 / 3;
const RETRY_MS = 5_000;
/** What a timer can wait for. */
const LONGEST_MS = 2 ** 31 - 1;

export interface VaultAnswer {
  status: number;
  // What the server answers differs from path to path.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

interface Lease {
  client_token?: string;
  lease_duration: number;
  renewable: boolean;
}

export type VaultSettings = Pick<
  SecurityKernelSettings,
  'vaultUrl' | 'vaultNamespace' | 'vaultToken' | 'vaultRoleId' | 'vaultSecretId' | 'vaultAuthMount'
>;

/**
 * Talks to a Vault or OpenBao server with a token that is kept alive: a given one is renewed, that of an AppRole is
 * renewed or got anew. Public description: https://openbao.org/api-docs/auth/approle and /auth/token.
 */
export class VaultServer {
  private token?: string;
  private entering?: Promise<string>;
  private timer?: NodeJS.Timeout;
  private closed = false;
  private readonly base: URL;

  constructor(
    private readonly settings: VaultSettings,
    private readonly transport: Transport,
    private readonly warn: (problem: unknown) => void = () => undefined,
  ) {
    const { vaultToken, vaultRoleId, vaultSecretId } = settings;
    if (!vaultToken && !(vaultRoleId && vaultSecretId))
      throw new Error('VAULT_URL needs VAULT_TOKEN, or VAULT_ROLE_ID and VAULT_SECRET_ID.');
    this.base = new URL(settings.vaultUrl!);
  }

  /** One request below `/v1`; answers 2xx and 404, everything else is an error of the store. */
  async ask(method: string, path: string, body?: object): Promise<VaultAnswer> {
    const token = this.token ?? (await this.enter());
    let answer = await this.send(method, path, body, token);
    // The token may have been revoked or have run out while the server could not be reached.
    if (answer.status === 403 && this.settings.vaultRoleId)
      answer = await this.send(method, path, body, await this.enter());
    if (answer.status < 300 || answer.status === 404) return answer;
    throw problem(answer);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** Gets a token; requests that come meanwhile share it. */
  private enter(): Promise<string> {
    this.entering ??= this.login().finally(() => (this.entering = undefined));
    return this.entering;
  }

  private async login(): Promise<string> {
    const { vaultToken, vaultRoleId, vaultSecretId, vaultAuthMount } = this.settings;
    if (vaultToken) {
      this.token = vaultToken;
      await this.renew();
      return vaultToken;
    }
    const body = { role_id: vaultRoleId, secret_id: vaultSecretId };
    const answer = await this.send('POST', `auth/${vaultAuthMount}/login`, body);
    if (answer.status !== 200) throw problem(answer);
    const lease = answer.body.auth as Lease;
    this.token = lease.client_token!;
    this.renewLater(lease);
    return this.token;
  }

  /** A token that can't be renewed is used for as long as it lasts. */
  private async renew(): Promise<void> {
    const answer = await this.send('POST', 'auth/token/renew-self', {}, this.token);
    if (answer.status === 200) return this.renewLater(answer.body.auth as Lease);
    if (this.settings.vaultToken) return;
    await this.enter();
  }

  private renewLater({ lease_duration, renewable }: Lease): void {
    clearTimeout(this.timer);
    // 0 never ends.
    if (this.closed || !lease_duration) return;
    if (!renewable && this.settings.vaultToken) return;
    const wait = (ms: number) => {
      this.timer = setTimeout(() => {
        (renewable ? this.renew() : this.enter().then(() => undefined)).catch((error: unknown) => {
          this.warn(error);
          if (!this.closed) wait(RETRY_MS);
        });
      }, ms).unref();
    };
    wait(Math.min(lease_duration * 1000 * RENEW_AFTER, LONGEST_MS));
  }

  private async send(
    method: string,
    path: string,
    body?: object,
    token?: string,
  ): Promise<VaultAnswer> {
    const { vaultNamespace } = this.settings;
    const { status, body: stream } = await this.transport.send({
      method,
      origin: this.base.origin,
      path: `${this.base.pathname.replace(/\/$/, '')}/v1/${path}`,
      headers: {
        'X-Vault-Request': 'true',
        ...(token && { 'X-Vault-Token': token }),
        ...(vaultNamespace && { 'X-Vault-Namespace': vaultNamespace }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
    });
    const text = await stream.text();
    return { status, body: parsed(text) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The server's own words may name paths, never values. */
function problem({ status, body }: VaultAnswer): Error {
  const said = ((body?.errors ?? []) as unknown[]).join('; ').slice(0, 300);
  const text = `The vault answered ${status}${said && `: ${said}`}`;
  return [429, 503, 473].includes(status)
    ? new NotReady('SK_VAULT_NOT_READY', text)
    : new Upstream('SK_VAULT_FAILED', text);
}
