import { apiErrorFrom, type Envelope } from '@libs/envelope';
import { DirectorySource, type Directory, type SiteEntry, type TenantEntry } from '@libs/auth';
import type { ServiceSettings } from '@libs/config';
import type { Transport } from './transport';

const TIMEOUT_MS = 10_000;

/** The registry as the primary site serves it to everybody. */
export class HttpDirectory extends DirectorySource {
  constructor(
    private readonly settings: ServiceSettings,
    private readonly transport: Transport,
  ) {
    super();
  }

  async load(): Promise<Directory> {
    const [sites, tenants] = await Promise.all([
      this.read<SiteEntry[]>('/v3/sites'),
      this.read<TenantEntry[]>('/v3/tenants'),
    ]);
    return { sites, tenants };
  }

  private async read<T>(path: string): Promise<T> {
    const { primaryUrl, internalUrl, siteId } = this.settings;
    const here = internalUrl && siteId === 'primary';
    const answer = await this.transport.send({
      method: 'GET',
      origin: here ? internalUrl : primaryUrl,
      host: here ? new URL(primaryUrl).host : undefined,
      path,
      timeoutMs: TIMEOUT_MS,
    });
    const body = (await answer.body.json()) as Envelope<T>;
    if (answer.status !== 200) throw apiErrorFrom(answer.status, body.message);
    return body.result as T;
  }
}
