import type { GithubSettings } from '../domain/identity-providers';
import { type LoginProof, refused } from './oidc-provider';
import type { OutsideHttp } from './outside-http';

/** GitHub speaks OAuth 2.0 without identity tokens: who logged in is asked with the access token. */
export class GithubProvider {
  constructor(
    private readonly settings: GithubSettings,
    private readonly http: OutsideHttp,
  ) {}

  async authorizeUrl(challenge: string, state: string, proof: LoginProof): Promise<string> {
    const query = new URLSearchParams({
      client_id: this.settings.client_id,
      redirect_uri: proof.redirectUri,
      scope: 'read:user',
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    return `${this.base}/login/oauth/authorize?${query}`;
  }

  /** `<login>@github.com`. */
  async username(code: string, _issuer: string | undefined, proof: LoginProof): Promise<string> {
    const { client_id, client_secret, api_url = 'https://api.github.com' } = this.settings;
    const form = { client_id, client_secret, code, redirect_uri: proof.redirectUri };
    const tokens = await this.http.post(`${this.base}/login/oauth/access_token`, {
      ...form,
      code_verifier: proof.verifier,
    });
    const token = tokens.body['access_token'];
    // it answers 200 when it refuses, too
    if (tokens.status !== 200 || typeof token !== 'string')
      throw refused(`it takes the code for no token (${String(tokens.body['error'] ?? '')})`);
    const person = await this.http.get(`${api_url}/user`, { authorization: `Bearer ${token}` });
    const login = person.body['login'];
    if (person.status !== 200 || typeof login !== 'string' || !login)
      throw refused(`it says nothing about the person (${person.status})`);
    return `${login}@github.com`;
  }

  private get base(): string {
    return (this.settings.base_url ?? 'https://github.com').replace(/\/$/, '');
  }
}
