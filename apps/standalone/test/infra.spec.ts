import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@libs/kit';
import { build, Installation, root } from './launched';

let installation: Installation;

beforeAll(build);
beforeEach(() => (installation = new Installation()));
afterEach(() => installation.remove());

it('holds the parts up for a service that starts again at each change', async () => {
  const infra = installation.start([], {}, 'dist/apps/standalone/src/infra.js');
  const [, url] = await infra.prints(/Listener (http:\S+),/);
  const serve = installation.start(['sites-tenants'], {}, 'tools/serve.mjs');
  const healthy = async () => (await fetch(`${url}/v3/tenants/healthcheck`)).ok;
  await until(healthy, 30_000);
  const tenants = await fetch(`${url}/v3/tenants`);
  expect(await tenants.json()).toMatchObject({ result: [{ tenant_id: 'admin' }] });

  const now = new Date();
  utimesSync(join(root, 'apps/sites-tenants/src/main.ts'), now, now);
  await serve.prints(/(sites-tenants on http[^]*){2}/, 20_000);
  await until(healthy, 30_000);

  serve.signal('SIGINT');
  await serve.ended;
  infra.signal('SIGINT');
  await infra.ended;
  expect(installation.processes()).toEqual([]);
});

it('says what to do when the parts are not there', async () => {
  const serve = installation.start(['sites-tenants'], {}, 'tools/serve.mjs');
  expect((await serve.ended).code).toBe(1);
  expect(serve.output).toMatch(/run `npm run infra` in another terminal/);
});
