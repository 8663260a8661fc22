import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BadInput, Upstream } from '@libs/envelope';
import { request } from 'undici';
import { SystemsSettings } from '../settings';

const TRANSFER = 'transfer.api.globus.org';
const TRANSFER_ALL = `urn:globus:auth:scope:${TRANSFER}:all`;
const ANSWER_MS = 20_000;

interface Granted {
  resource_server?: string;
  access_token?: string;
  refresh_token?: string;
}
type TokenAnswer = Granted & { other_tokens?: Granted[]; error?: string };

/** Signing in with Globus as a native app: a page to log in on, a code the user brings back, tokens for it (PKCE). */
@Injectable()
export class GlobusAuth {
  constructor(private readonly settings: SystemsSettings) {}

  /** Where the user logs in, and the verifier that must come back with the code. */
  signIn(collection: string, dataAccess: boolean): { url: string; sessionId: string } {
    const sessionId = randomBytes(48).toString('base64url');
    const data = `https://auth.globus.org/scopes/${collection}/data_access`;
    const url = new URL('/v2/oauth2/authorize', this.settings.globusAuthUrl);
    url.search = new URLSearchParams({
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      scope: dataAccess ? `${TRANSFER_ALL}[*${data}]` : TRANSFER_ALL,
      state: '_default',
      access_type: 'offline',
      code_challenge: createHash('sha256').update(sessionId).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString();
    return { url: url.href, sessionId };
  }

  /** The tokens for the transfer service; what else was granted is of no use here. */
  async tokens(
    code: string,
    sessionId: string,
  ): Promise<{ accessToken: string; refreshToken: string }> {
    const { statusCode, answer } = await this.exchange({
      grant_type: 'authorization_code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      code,
      code_verifier: sessionId,
    });
    if (statusCode >= 500)
      throw new Upstream('SYSAPI_GLOBUS_ERROR', `Globus answered ${statusCode}`);
    if (statusCode >= 400)
      throw new BadInput(
        'SYSAPI_CRED_VALID_FAIL',
        `Globus does not take the code: ${answer.error ?? statusCode}. Codes are good once and for ten minutes, and only with the session they were made for.`,
      );
    const all = [answer, ...(answer.other_tokens ?? [])];
    const { access_token, refresh_token } =
      all.find(({ resource_server }) => resource_server === TRANSFER) ?? {};
    if (access_token && refresh_token)
      return { accessToken: access_token, refreshToken: refresh_token };
    throw new Upstream('SYSAPI_GLOBUS_ERROR', 'Globus gave no tokens for its transfer service');
  }

  private async exchange(form: Record<string, string>) {
    try {
      const answer = await request(new URL('/v2/oauth2/token', this.settings.globusAuthUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const body = (await answer.body.json().catch(() => ({}))) as TokenAnswer;
      return { statusCode: answer.statusCode, answer: body };
    } catch (error) {
      const { name, message } = error as Error;
      const timedOut = name === 'TimeoutError';
      throw new Upstream('SYSAPI_GLOBUS_ERROR', `Globus can't be reached: ${message}`, {
        timedOut,
      });
    }
  }

  /** The page of Globus that shows the code to the user. */
  private get redirectUri(): string {
    return new URL('/v2/web/auth-code', this.settings.globusAuthUrl).href;
  }

  private get clientId(): string {
    const { globusClientId } = this.settings;
    if (globusClientId) return globusClientId;
    throw new BadInput(
      'SYSAPI_GLOBUS_NOT_CONFIGURED',
      'This site is not registered with Globus (setting GLOBUS_CLIENT_ID).',
    );
  }
}
