import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { until } from '@libs/kit';
import { build, Installation, kill, type Launched } from './launched';

let installation: Installation;

beforeAll(build);
beforeEach(() => (installation = new Installation()));
afterEach(() => installation.remove());

const STATUSES = [
  'PROCESSING_INPUTS',
  'STAGING_INPUTS',
  'STAGING_JOB',
  'SUBMITTING_JOB',
  'RUNNING',
  'ARCHIVING',
  'FINISHED',
];

it('runs the sample job and leaves no process behind', async () => {
  const run = installation.start(['--once']);
  const { code } = await run.ended;
  expect({ code, output: run.output }).toMatchObject({ code: 0 });
  const shown = STATUSES.map((status) => run.output.indexOf(` ${status}\n`));
  expect(shown).not.toContain(-1);
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  expect(run.output).toMatch(/exit +code 0, archived in local:/);
  expect(run.output).toMatch(/words\.txt begins:[^]*\d+ the\n/);
  expect(installation.processes()).toEqual([]);
  expect(run.survivors()).toEqual([]);
});

it('says which setting to change when its port is taken', async () => {
  const server = createServer();
  const port = await new Promise<number>((done) =>
    server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port)),
  );
  const run = installation.start(['--once'], { PORT: String(port) });
  const { code } = await run.ended;
  server.close();
  expect(code).toBe(1);
  expect(run.output).toMatch(new RegExp(`^Port ${port} on 127.0.0.1 is taken: set PORT[^\n]*\n$`));
});

describe('Ctrl-C', () => {
  /** The best of three: how late a busy machine hears a signal says nothing about us. */
  const inTime = async (args: string[], begun: (run: Launched) => Promise<unknown>) => {
    const times: number[] = [];
    while (times.length < 3 && !times.some((time) => time < 5000)) {
      const run = installation.start(args);
      await begun(run);
      const asked = performance.now();
      run.signal('SIGINT');
      expect(await run.ended).toEqual({ code: 130, signal: null });
      times.push(performance.now() - asked);
      expect(installation.processes()).toEqual([]);
      expect(run.survivors()).toEqual([]);
    }
    expect(Math.min(...times)).toBeLessThan(5000);
  };

  it('ends everything within five seconds and leaves no process behind', () =>
    inTime(['--no-sample'], (run) => run.prints(/Ready: http:\/\/localhost:\d+\n/)));

  it('ends a start that is under way, too', () => {
    const claimed = join(installation.folder, 'data', 'launcher.pid');
    return inTime(['--once'], () => until(() => existsSync(claimed)));
  });
});

it('recovers from kill -9 of everything', async () => {
  const first = installation.start(['--no-sample']);
  await first.prints(/Ready:/);
  for (const { pid } of installation.processes()) kill(pid);
  kill(first.pid);
  await first.ended;
  const second = installation.start(['--once']);
  expect({ ...(await second.ended), output: second.output }).toMatchObject({ code: 0 });
});

it('recovers from kill -9 of the launcher alone, whatever it left running', async () => {
  const first = installation.start(['--no-sample']);
  await first.prints(/Ready:/);
  first.signal('SIGKILL');
  await first.ended;
  const second = installation.start(['--once']);
  expect({ ...(await second.ended), output: second.output }).toMatchObject({ code: 0 });
  expect(installation.processes()).toEqual([]);
  expect(second.survivors()).toEqual([]);
});

it('lets one launcher work in a data folder', async () => {
  const first = installation.start(['--no-sample']);
  await first.prints(/Ready:/);
  const second = installation.start(['--once']);
  expect((await second.ended).code).toBe(1);
  expect(second.output).toMatch(/is in use by process \d+: stop it, or set DATA_DIR/);
});
