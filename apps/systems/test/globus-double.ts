import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Grant {
  client: string;
  redirect: string;
  challenge: string;
  scope: string;
}

/**
 * Globus Auth as far as a native app signs a user in there, after its public API reference: `/v2/oauth2/authorize` with
 * PKCE, codes that are shown on `/v2/web/auth-code`, `/v2/oauth2/token` with one token per resource server
 * (`other_tokens`).
 */
export class GlobusDouble {
  readonly client = 'f0c1a7ce-0000-4000-8000-000000000001';
  broken = false;
  url = '';
  private readonly codes = new Map<string, Grant>();
  private server!: Server;

  static async start(): Promise<GlobusDouble> {
    const double = new GlobusDouble();
    double.server = createServer((request, response) => void double.answer(request, response));
    await new Promise<void>((resolve) => double.server.listen(0, '127.0.0.1', resolve));
    double.url = `http://127.0.0.1:${(double.server.address() as AddressInfo).port}`;
    return double;
  }

  env(): Record<string, string> {
    return { GLOBUS_CLIENT_ID: this.client, GLOBUS_AUTH_URL: this.url };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', this.url);
    const json = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (this.broken) return json(500, {});
    if (request.method === 'GET' && url.pathname === '/v2/oauth2/authorize') {
      const code = this.allow(url.searchParams);
      if (!code) return json(400, { error: 'invalid_request' });
      const to = new URL(url.searchParams.get('redirect_uri')!);
      to.searchParams.set('code', code);
      to.searchParams.set('state', url.searchParams.get('state') ?? '');
      response.writeHead(302, { location: to.href });
      return void response.end();
    }
    if (request.method === 'POST' && url.pathname === '/v2/oauth2/token') {
      const grant = this.redeem(new URLSearchParams(Buffer.concat(chunks).toString()));
      return grant ? json(200, tokens(grant)) : json(400, { error: 'invalid_grant' });
    }
    json(404, {});
  }

  /** The user logs in and consents; answers the code. */
  private allow(query: URLSearchParams): string | undefined {
    const [client, redirect, challenge, scope] = [
      'client_id',
      'redirect_uri',
      'code_challenge',
      'scope',
    ].map((name) => query.get(name) ?? '') as [string, string, string, string];
    const right =
      client === this.client &&
      redirect === `${this.url}/v2/web/auth-code` &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256';
    if (!right || !challenge || !scope) return undefined;
    const code = randomBytes(15).toString('base64url');
    this.codes.set(code, { client, redirect, challenge, scope });
    return code;
  }

  /** Good once, for the client, the page and the verifier that the code was made for. */
  private redeem(form: URLSearchParams): Grant | undefined {
    const code = form.get('code') ?? '';
    const grant = this.codes.get(code);
    this.codes.delete(code);
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const right =
      form.get('grant_type') === 'authorization_code' &&
      form.get('client_id') === grant?.client &&
      form.get('redirect_uri') === grant?.redirect &&
      challenge === grant?.challenge;
    return right ? grant : undefined;
  }
}

/** The first token is of any of the servers; only `resource_server` tells which. */
function tokens({ scope }: Grant): object {
  const token = (server: string, of: string) => ({
    access_token: `access-${server}`,
    refresh_token: `refresh-${server}`,
    expires_in: 172_800,
    token_type: 'Bearer',
    resource_server: server,
    scope: of,
  });
  return {
    ...token('auth.globus.org', 'openid'),
    other_tokens: [token('transfer.api.globus.org', scope)],
  };
}
