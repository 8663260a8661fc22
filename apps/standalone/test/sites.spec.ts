import { call } from '@libs/kit';
import { build, Installation } from './launched';

let installation: Installation;

beforeAll(build);
beforeEach(() => (installation = new Installation()));
afterEach(() => installation.remove());

const tenantsAt = async (url: string) => {
  const { result } = (await (await fetch(`${url}/v3/tenants?select=tenant_id`)).json()) as {
    result: { tenant_id: string }[];
  };
  return result.map(({ tenant_id }) => tenant_id);
};

it('starts several sites with one command, goes on from there, and leaves no process behind', async () => {
  const sites = ['--sites', 'primary,west:systems'];
  const run = installation.start([...sites, '--no-sample']);
  const [, primary, west] = await run.prints(
    /The sites are up:\n +primary +(\S+)\n +west +(\S+)\n/,
    120_000,
  );
  const ports = [primary, west].map((url) => new URL(url!).port);
  expect(ports[0]).not.toBe(ports[1]);
  for (const port of ports)
    expect(await tenantsAt(`http://127.0.0.1:${port}`)).toEqual([
      'admin',
      'dev',
      'west-admin',
      'west-dev',
    ]);
  const account = { grant_type: 'password', username: 'testuser1', password: 'testuser1' };
  const login = await call(`http://127.0.0.1:${ports[1]}/v3/oauth2/tokens`, {
    headers: { host: `west-dev.localhost:${ports[1]}` },
    body: account,
  });
  expect([login.status, login.body.status]).toEqual([expect.any(Number), 'success']);
  run.signal('SIGINT');
  expect((await run.ended).code).toBe(130);
  expect(installation.processes()).toEqual([]);

  const again = installation.start([...sites, '--once'], { PORT: ports[0]! });
  expect({ ...(await again.ended), output: again.output }).toMatchObject({ code: 0 });
  expect(again.output).toContain('[west] active    west-dev is open');
  expect(again.output).not.toMatch(/\[west\] (site|tenant)/);
  expect(installation.processes()).toEqual([]);
  expect([...run.survivors(), ...again.survivors()]).toEqual([]);
});

it.each(['west', 'primary,primary', 'primary,We st', 'primary,west:tenants'])(
  'refuses --sites %s',
  async (sites) => {
    const run = installation.start(['--sites', sites]);
    expect((await run.ended).code).toBe(1);
    expect(run.output).toMatch(/--sites takes|can't run tenants/);
  },
);
