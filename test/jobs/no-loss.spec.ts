import { flow, PlatformProcess, TestHost } from '@libs/flows';
import { until } from '@libs/kit';
import { allLaunches, COUNTING } from '../fixtures/counting-app';
import { end } from '../fixtures/end';

const JOBS = 200;

describe('200 jobs at once on one host, the workers killed twice', () => {
  let platform: PlatformProcess;
  let host: TestHost;

  beforeAll(async () => {
    host = await TestHost.start();
    platform = await PlatformProcess.start({ fork: true });
  });
  afterAll(() => end(platform, [host]));

  it('finishes all of them, each launched once and archived with its own bytes', async () => {
    const { given, when, then, me } = flow(platform);
    const system = await given.system({ host });
    const app = await given.app({
      host,
      system,
      script: COUNTING,
      jobAttributes: { archiveSystemId: system, archiveSystemDir: '/archive/${JobUUID}' },
    });
    const uuids: string[] = [];
    const submitting = atOnce(JOBS, 8, async (i) => {
      host.put(`in/${i}`, `content of job ${i}\n`);
      const fileInputs = [{ sourceUrl: `svc://${system}/in/${i}`, targetPath: 'input.txt' }];
      uuids[i] = (await when.submit(app, { tags: ['loss'], fileInputs })).uuid;
    });
    const session = await me();
    const count = async (condition: string) => {
      const path = `/v3/jobs/search?limit=1&computeTotal=true&tags.contains=loss&${condition}`;
      return (await session.call('GET', path)).json.metadata.totalCount as number;
    };
    for (const share of [0.15, 0.5]) {
      await until(async () => (await count('status=FINISHED')) >= JOBS * share, 120_000, 100);
      await Promise.all([
        platform.killService('jobs-worker'),
        platform.killService('transfers-worker'),
      ]);
      // killed in the middle of the work, not after it
      expect(await count('status=FINISHED')).toBeLessThan(JOBS);
    }
    await submitting;
    await until(
      async () => (await count('status.in=FINISHED,FAILED,CANCELLED')) === JOBS,
      480_000,
      250,
    );
    expect(await count('status=FINISHED')).toBe(JOBS);
    expect(allLaunches(host).sort()).toEqual([...uuids].sort());
    for (const [i, uuid] of uuids.entries())
      expect(host.read(`archive/${uuid}/result.txt`)).toBe(`content of job ${i}\n`);
    await then.job(uuids[0]!).reaches('FINISHED');
  }, 900_000);
});

async function atOnce(count: number, width: number, work: (i: number) => Promise<void>) {
  let next = 0;
  const one = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, one));
}
