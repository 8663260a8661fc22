import { randomBytes } from 'node:crypto';
import { Database } from '@libs/database';
import { call, freshDatabase, PlatformDouble, type CallAnswer } from '@libs/kit';
import { createService, listen, type Listening, type RunningService } from '@libs/service-kit';
import { securityKernel } from '../src/service';

export const newMasterKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

/** Headers of a user of tenant dev, `user@tenant`, or a service `service:user@tenant`. */
export function headersOf(double: PlatformDouble, who: string): Record<string, string> {
  const [, service, user, tenant = 'dev'] = /^(?:(\w+):)?([^@]+)(?:@(.+))?$/.exec(who)!;
  return service ? double.asService(service, user, tenant) : double.as(user, tenant);
}

/** A security kernel that runs on its own database, and what tests ask it. */
export class RunningKernel {
  double!: PlatformDouble;
  private service!: RunningService;
  private at!: Listening;
  private readonly others: RunningKernel[] = [];
  private env: Record<string, string> = {
    DATABASE_URL: freshDatabase(),
    MASTER_KEY: newMasterKey('k1'),
    SERVICE_PASSWORDS: JSON.stringify({ systems: 'double', jobs: 'jobs-secret' }),
  };

  static async start(more: Record<string, string> = {}): Promise<RunningKernel> {
    const kernel = new RunningKernel();
    kernel.double = await PlatformDouble.start();
    Object.assign(kernel.env, more);
    await kernel.open().catch(async (error: unknown) => {
      await kernel.double.close();
      throw error;
    });
    return kernel;
  }

  /** A second process of the same service, as far as it can tell: same database, a memory of its own. */
  async another(change: Record<string, string> = {}): Promise<RunningKernel> {
    const kernel = new RunningKernel();
    kernel.double = this.double;
    kernel.env = { ...this.env, ...change };
    await kernel.open();
    this.others.push(kernel);
    return kernel;
  }

  async restart(change: Record<string, string> = {}): Promise<void> {
    await this.stop();
    Object.assign(this.env, change);
    await this.open();
  }

  get url(): string {
    return this.at.url;
  }

  get settings(): Record<string, string> {
    return this.env;
  }

  get masterKey(): string {
    return this.env.MASTER_KEY!;
  }

  rows(sql: string, params: unknown[] = []): Promise<Record<string, unknown>[]> {
    return this.service.get(Database).query(sql, params);
  }

  /** A request as a user of tenant dev, `user@tenant`, or a service `service:user@tenant`. */
  async ask(
    who: string,
    path: string,
    { body, method }: { body?: unknown; method?: string } = {},
  ): Promise<CallAnswer> {
    const headers = headersOf(this.double, who);
    return call(`${this.at.url}/v3/security${path}`, { headers, body, method });
  }

  /** The result of a request that must succeed. */
  async result(who: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.ask(who, path, { body });
    if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body.result;
  }

  async close(): Promise<void> {
    for (const other of this.others) await other.stop();
    await this.stop();
    await this.double.close();
  }

  private async stop(): Promise<void> {
    await this.at.close(100);
    await this.service.close();
  }

  private async open(): Promise<void> {
    this.service = await createService(
      securityKernel,
      this.double.env({ ...this.env, LOG_LEVEL: 'silent' }),
    );
    this.at = await listen(this.service.handler, '127.0.0.1', 0);
  }
}
