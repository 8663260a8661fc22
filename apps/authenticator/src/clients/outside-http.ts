import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { isApiError, Upstream } from '@libs/envelope';
import { outwardAgent } from '@libs/storage';
import { type Dispatcher, request } from 'undici';
import { AuthenticatorSettings } from '../settings';

const TIMEOUT_MS = 10_000;
const LARGEST = 512 * 1024;

export interface OutsideAnswer {
  status: number;
  // The other side decides what is in it; every use checks.
  body: Record<string, unknown>;
}

/**
 * HTTP to servers that a tenant's administrator has named. Only public addresses, unless the site's settings allow
 * others (ruling 42); no redirects, and neither endless nor slow answers.
 */
@Injectable()
export class OutsideHttp implements OnModuleDestroy {
  private readonly agent: Dispatcher;

  constructor(settings: AuthenticatorSettings) {
    this.agent = outwardAgent(settings);
  }

  async onModuleDestroy(): Promise<void> {
    await this.agent.destroy();
  }

  get(url: string, headers: Record<string, string> = {}): Promise<OutsideAnswer> {
    return this.send(url, { method: 'GET', headers });
  }

  post(
    url: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<OutsideAnswer> {
    const body = new URLSearchParams(form).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.send(url, { method: 'POST', headers: { ...type, ...headers }, body });
  }

  /** For libraries that want a `fetch` of ours. */
  readonly fetch = async (url: string): Promise<Response> => {
    const { status, body } = await this.get(url);
    return new Response(JSON.stringify(body), { status });
  };

  private async send(
    url: string,
    options: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string },
  ): Promise<OutsideAnswer> {
    const { host } = new URL(url);
    try {
      const answer = await request(url, {
        ...options,
        headers: { accept: 'application/json', 'user-agent': 'authenticator', ...options.headers },
        dispatcher: this.agent,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      let text = '';
      for await (const chunk of answer.body.setEncoding('utf8')) {
        text += chunk;
        if (text.length > LARGEST) throw failed(host, 'the answer is too large');
      }
      const body: unknown = JSON.parse(text || '{}');
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw failed(host, 'the answer is not an object');
      return { status: answer.statusCode, body: body as Record<string, unknown> };
    } catch (error) {
      if (isApiError(error)) throw error;
      if (error instanceof SyntaxError) throw failed(host, 'the answer is not JSON', error);
      const { name, message, code } = error as Error & { code?: string };
      const timedOut = name === 'TimeoutError' || /TIMEOUT/.test(code ?? '');
      throw failed(host, timedOut ? 'no answer in time' : message, error, timedOut);
    }
  }
}

const failed = (host: string, why: string, cause?: unknown, timedOut = false): Upstream =>
  new Upstream(
    'AUTHENTICATOR_IDP_FAILED',
    `The identity provider ${host} can't be asked: ${why}.`,
    {
      cause,
      timedOut,
    },
  );
