import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flow, PlatformProcess, TestHost, type App } from '@libs/flows';
import { end } from '../fixtures/end';
import { COUNTING, launches } from '../fixtures/counting-app';
import { CRASH_POINTS } from '../fixtures/crash-points';

describe('a job is launched exactly once although the platform is killed', () => {
  let platform: PlatformProcess;
  let host: TestHost;
  let app: App;
  let input: string;
  /** Says where the running platform is to be killed next. */
  let crashFile: string;

  beforeAll(async () => {
    host = await TestHost.start();
    crashFile = join(host.base, 'crash-at');
    platform = await PlatformProcess.start({ env: { CRASH_AT: `@${crashFile}` } });
    const { given } = flow(platform);
    const system = await given.system({ host });
    app = await given.app({
      host,
      system,
      script: COUNTING,
      jobAttributes: { archiveSystemId: system, archiveSystemDir: '/archive/${JobUUID}' },
    });
    await given.file(system, 'input.txt', 'some input\n');
    input = `svc://${system}/input.txt`;
  });
  afterAll(() => end(platform, [host]));

  it.each(CRASH_POINTS)('at %s', async (point) => {
    const { when, then } = flow(platform);
    writeFileSync(crashFile, point);
    const crash = platform.ended();
    // the answer may get lost in the crash, the job must not
    const tags = [point.replace(':', '-')];
    const asked = when
      .submit(app, { tags, fileInputs: [{ sourceUrl: input }] })
      .catch(() => undefined);
    expect(await crash).toBe('SIGKILL');
    await asked;
    await platform.start();
    const session = await platform.as('testuser1');
    const found = await session.ask('GET', `/v3/jobs/search?tags.contains=${tags[0]}`);
    expect(found).toHaveLength(1);
    const job = await then.job(found[0].uuid).reaches('FINISHED');
    expect(launches(host, job.uuid)).toBe(1);
    expect(host.read(`${job.archiveSystemDir}/result.txt`)).toBe('some input\n');
  });
});
