import { call, freshDatabase, PlatformDouble, type CallAnswer } from '@libs/kit';
import { Forbidden, NotFound } from '@libs/envelope';
import { createService, listen, type Listening, type RunningService } from '@libs/service-kit';
import { apps } from '../src/service';

/** The running service with a database of its own; systems `exec`, `fork` and `store` answer from memory. */
export class AppsService {
  private constructor(
    readonly double: PlatformDouble,
    readonly service: RunningService,
    private readonly at: Listening,
  ) {}

  static async start(): Promise<AppsService> {
    const double = await PlatformDouble.start();
    const systems: Record<string, object> = {
      exec: {
        id: 'exec',
        canExec: true,
        canRunBatch: true,
        batchLogicalQueues: [
          { name: 'short', hpcQueueName: 'q', maxMinutes: 60 },
          { name: 'long', hpcQueueName: 'l', minMinutes: 60 },
        ],
      },
      fork: { id: 'fork', canExec: true, canRunBatch: false },
      store: { id: 'store', canExec: false },
    };
    double.serve('GET', '/v3/systems/:id', ({ params: { id = '' }, query }) => {
      if (!systems[id]) throw new NotFound('SYSLIB_NOT_FOUND', `no system ${id}`, id);
      if (query['requireExecPerm'] === 'true' && id === 'store')
        throw new Forbidden('SYSLIB_NOTEXEC', `system ${id} runs none`);
      return systems[id];
    });
    const env = double.env({ DATABASE_URL: freshDatabase() });
    const service = await createService(apps, env);
    return new AppsService(double, service, await listen(service.handler, '127.0.0.1', 0));
  }

  async stop(): Promise<void> {
    await this.at.close(100);
    await this.service.close();
    await this.double.close();
  }

  /** A request as a user of tenant `dev` unless headers say otherwise. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = this.double.as(),
  ): Promise<CallAnswer> {
    return call(`${this.at.url}/v3/apps${path}`, { method, headers, body });
  }

  as(user: string, tenant = 'dev'): Record<string, string> {
    return this.double.as(user, tenant);
  }
}

export const app = (id: string, version = '1.0', more: object = {}) => ({
  id,
  version,
  containerImage: 'registry/image:1',
  ...more,
});
