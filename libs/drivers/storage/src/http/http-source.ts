import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { isStorageError, StorageError } from '../storage-error';
import type { ReadAnswer } from '../store';
import { type AddressRules, outwardAgent } from './address-rules';

const MAX_REDIRECTS = 10;

/** What lies behind an http or https URL, read without a credential. Redirects are followed; nothing else is offered. */
export class HttpSource {
  private readonly agent: Dispatcher;

  constructor(rules: AddressRules) {
    this.agent = outwardAgent(rules);
  }

  async read(url: string, signal?: AbortSignal): Promise<ReadAnswer> {
    let at = parse(url);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const answer = await this.get(at, url, signal);
      const { statusCode: status, headers, body } = answer;
      const location = headers.location;
      if (status >= 300 && status < 400 && typeof location === 'string') {
        await body.dump();
        at = parse(new URL(location, at).href);
        continue;
      }
      if (status < 200 || status > 299) {
        await body.dump();
        throw new StorageError('http', url, `the server answers ${status}`, {
          passing: status === 408 || status === 429 || status >= 500,
        });
      }
      return { stream: body as Readable, size: sizeOf(headers) };
    }
    throw new StorageError('http', url, `more than ${MAX_REDIRECTS} redirects`);
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  private async get(at: URL, url: string, signal?: AbortSignal) {
    try {
      return await request(at, {
        dispatcher: this.agent,
        method: 'GET',
        signal,
        // Compressed on the way would be stored compressed.
        headers: { 'accept-encoding': 'identity', accept: '*/*' },
      });
    } catch (error) {
      const cause = (error as Error).cause;
      if (isStorageError(error)) throw error;
      if (isStorageError(cause)) throw cause;
      if ((error as Error).name === 'AbortError') throw error;
      throw new StorageError('http', url, `no answer: ${(error as Error).message}`, {
        cause: error,
        passing: true,
      });
    }
  }
}

function parse(url: string): URL {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new StorageError('refused-address', url, 'only http and https URLs are read');
  }
  return parsed;
}

function sizeOf(headers: Record<string, string | string[] | undefined>): number | null {
  const length = headers['content-length'];
  return typeof length === 'string' && /^\d+$/.test(length) ? Number(length) : null;
}
