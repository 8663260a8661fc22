import { buildServices, call, ServiceProcess, until } from '@libs/kit';
import { aTenant, RunningRegistry } from './running-registry';

let registry: RunningRegistry;
let running: ServiceProcess | undefined;

beforeAll(async () => {
  buildServices();
  registry = await RunningRegistry.start();
});
afterAll(async () => {
  await running?.kill();
  await registry.close();
});

/** As an administrator of the site; the process stands on the database of the running registry. */
const ask = (to: ServiceProcess, method: string, path: string, body?: unknown) =>
  call(`${to.url}/v3/${path}`, { method, body, headers: registry.double.as('admin', 'admin') });

it('SIGKILL in the middle of writes loses nothing that was answered', async () => {
  for (let round = 0; round < 2; round++) {
    running = await new ServiceProcess(
      'sites-tenants',
      registry.double.env({ ...registry.env, LOG_LEVEL: 'info' }),
    ).ready();
    const to = running;
    const made = new Set<string>();
    const changed = new Map<string, number>();
    const client = async (n: number) => {
      for (let i = 0; ; i++) {
        const id = `lab-${round}-${n}-${i}`;
        const { status } = await ask(to, 'POST', 'tenants', aTenant(id));
        if (status === 201) made.add(id);
        for (let change = 1; change < 4; change++) {
          const body = { description: `change ${change}` };
          const answer = await ask(to, 'PUT', `tenants/${id}`, body);
          if (answer.status === 200) changed.set(id, change);
        }
      }
    };
    const clients = [1, 2, 3, 4].map((n) => client(n).catch(() => undefined));
    await until(() => changed.size > 15);
    await running.kill();
    await Promise.all(clients);

    for (const id of made) {
      const { status, body } = await registry.ask(`tenants/${id}`);
      expect([id, status]).toEqual([id, 200]);
      const history = (await registry.admin('GET', `tenants/${id}/history`)).body.result;
      // one change may have been done without its answer
      expect(history.length - (changed.get(id) ?? 0)).toBeLessThanOrEqual(1);
      expect(history.length).toBeGreaterThanOrEqual(changed.get(id) ?? 0);
      const { description } = body.result;
      expect(description).toBe(history.length ? `change ${history.length}` : '');
    }
  }
});
