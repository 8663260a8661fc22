import { Upstream } from '@libs/envelope';
import type { PrivacyIdeaSettings } from '../domain/mfa-config';
import type { OutsideHttp } from './outside-http';

/** A privacyIDEA server, which keeps the second factors of a tenant itself (its REST API: `/auth`, `/validate/check`). */
export class PrivacyIdea {
  constructor(
    private readonly settings: PrivacyIdeaSettings,
    private readonly http: OutsideHttp,
  ) {}

  /** Whether the server takes the code for one of this person. */
  async isCode(user: string, pass: string): Promise<boolean> {
    const { realm } = this.settings;
    const form = { user, pass, ...(realm ? { realm } : {}) };
    const headers = await this.headers();
    const { status, body } = await this.http.post(this.at('validate/check'), form, headers);
    const { status: answered, value } = resultOf(body);
    // a server may say 400 and the like of somebody it does not know
    if (status >= 500 || status === 401 || status === 403 || status === 404)
      throw failed(`it answers ${status}`);
    return answered === true && value === true;
  }

  /** Servers that let only known programs ask give them a token first. */
  private async headers(): Promise<Record<string, string>> {
    const { clientId: username, clientKey: password } = this.settings;
    if (!username || !password) return {};
    const { status, body } = await this.http.post(this.at('auth'), { username, password });
    const token = (resultOf(body).value as { token?: unknown } | undefined)?.token;
    if (status !== 200 || typeof token !== 'string')
      throw failed(`it takes privacy_idea_client_id and privacy_idea_client_key for nobody`);
    return { authorization: token };
  }

  private at(path: string): string {
    const { url } = this.settings;
    if (!url) throw failed('mfa_config names no privacy_idea_url');
    return `${url.replace(/\/+$/, '')}/${path}`;
  }
}

const resultOf = (body: Record<string, unknown>) =>
  (body['result'] ?? {}) as { status?: unknown; value?: unknown };

const failed = (why: string): Upstream =>
  new Upstream('AUTHENTICATOR_MFA_FAILED', `The server of one-time codes can't be asked: ${why}.`);
