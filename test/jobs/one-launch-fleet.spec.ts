import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flow, PlatformProcess, TestHost, type App } from '@libs/flows';
import { rabbit, type Rabbit } from '@libs/kit';
import { COUNTING, launches } from '../fixtures/counting-app';
import { CRASH_POINTS } from '../fixtures/crash-points';
import { end } from '../fixtures/end';

describe('every service in its own process, with RabbitMQ', () => {
  let platform: PlatformProcess;
  let broker: Rabbit;
  let host: TestHost;
  let app: App;
  let crashFile: string;

  beforeAll(async () => {
    [host, broker] = await Promise.all([TestHost.start(), rabbit()]);
    crashFile = join(host.base, 'crash-at');
    platform = await PlatformProcess.start({
      fork: true,
      env: { AMQP_URL: broker.url, CRASH_AT: `@${crashFile}` },
    });
    const { given } = flow(platform);
    const system = await given.system({ host });
    const jobAttributes = { archiveSystemId: system, archiveSystemDir: '/archive/${JobUUID}' };
    app = await given.app({ host, system, script: COUNTING, jobAttributes });
  });
  afterAll(async () => {
    await end(platform, [host]);
    await broker?.stop();
  });

  it.each(CRASH_POINTS)(
    'launches a job once although its worker is killed at %s',
    async (point) => {
      const { when, then } = flow(platform);
      const worker = platform.services()['jobs-worker']!;
      writeFileSync(crashFile, point);
      const { uuid } = await when.submit(app);
      const job = await then.job(uuid).reaches('FINISHED');
      // it was killed there, and another process finished the job
      expect(platform.services()['jobs-worker']).not.toBe(worker);
      expect(launches(host, uuid)).toBe(1);
      expect(host.read(`${job.archiveSystemDir}/result.txt`)).toBe(`${uuid}\n`);
    },
  );

  it('launches jobs once although RabbitMQ is killed and started again in the middle', async () => {
    const { when, then } = flow(platform);
    rmSync(crashFile, { force: true });
    const before = await Promise.all(Array.from({ length: 10 }, () => when.submit(app)));
    await then.job(before[0]!.uuid).reaches('RUNNING');
    await broker.kill();
    // what is submitted while the broker is away is not lost either
    const during = await Promise.all(Array.from({ length: 5 }, () => when.submit(app)));
    await broker.start();
    const all = [...before, ...during];
    await Promise.all(
      all.map(({ uuid }) => then.job(uuid).reaches('FINISHED', { within: 120_000 })),
    );
    for (const { uuid } of all) expect(launches(host, uuid)).toBe(1);
  });
});
