import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, Installation, kill } from './launched';

let installation: Installation;

beforeAll(build);
beforeEach(() => (installation = new Installation()));
afterEach(() => installation.remove());

it('runs the sample job with every service in a process of its own', async () => {
  const run = installation.start(['--fork', '--once']);
  expect({ ...(await run.ended), output: run.output }).toMatchObject({ code: 0 });
  expect(run.output).toMatch(/10 services in processes of their own/);
  expect(installation.processes()).toEqual([]);
  expect(run.survivors()).toEqual([]);
});

it('starts a service again that died', async () => {
  const run = installation.start(['--fork', '--no-sample']);
  const [, url] = await run.prints(/Ready: (\S+)/, 90_000);
  const pids = () =>
    JSON.parse(readFileSync(join(installation.folder, 'data', 'services.json'), 'utf8')) as Record<
      string,
      number
    >;
  const before = pids()['systems']!;
  kill(before);
  const answers = async () => (await fetch(`${url}/v3/systems/healthcheck`)).status;
  const deadline = Date.now() + 20_000;
  while (pids()['systems'] === before || (await answers()) !== 200)
    if (Date.now() > deadline) throw new Error('systems did not come back');
    else await new Promise((done) => setTimeout(done, 100));
  expect(pids()['systems']).not.toBe(before);
  run.signal('SIGINT');
  expect((await run.ended).code).toBe(130);
  expect(installation.processes()).toEqual([]);
  expect(run.survivors()).toEqual([]);
});
