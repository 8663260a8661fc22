import { readFileSync } from 'node:fs';
import { flow, PlatformProcess, TestHost } from '@libs/flows';
import { end } from '../fixtures/end';
import { decode } from '../fixtures/tokens';

const NAME = 'abc';

describe('a platform with another name', () => {
  let platform: PlatformProcess;
  let host: TestHost;

  beforeAll(async () => {
    host = await TestHost.start();
    platform = await PlatformProcess.start({ name: NAME });
  });
  afterAll(() => end(platform, [host]));

  it('shows no trace of svc in headers, claims, URLs, file names or the environment of a job', async () => {
    const { given, when, then, me } = flow(platform);
    const owner = await me();
    const { claims } = decode(owner.token!);
    expect(Object.keys(claims)).toContain(`${NAME}/username`);

    const system = await given.system({ host });
    await given.file(system, 'input.txt', 'input');
    const script = `env | sort > "$_${NAME}ExecSystemOutputDir/environment"; ls -la "$_${NAME}ExecSystemExecDir"`;
    const app = await given.app({
      host,
      system,
      script,
      jobAttributes: { archiveSystemId: system, archiveSystemDir: '/archive/${JobUUID}' },
    });
    const fileInputs = [{ sourceUrl: `${NAME}://${system}/input.txt` }];
    const { uuid } = await when.submit(app, { fileInputs });
    const job = await then.job(uuid).reaches('FINISHED');
    await then.job(uuid).history();
    const listing = await owner.ask('GET', `/v3/jobs/${uuid}/output/list/`);
    expect(listing.map((item: { name: string }) => item.name)).toEqual(
      expect.arrayContaining([`${NAME}job.out`, `${NAME}job.sh`, `${NAME}job.env`, 'environment']),
    );
    expect(listing[0].url).toMatch(new RegExp(`^${NAME}://${system}/`));
    await owner.call('GET', `/v3/files/ops/${system}/?recurse=true`);
    // the old name's header is nobody's
    const old = await platform.anonymous().with({ headers: { 'X-Svc-Token': owner.token! } });
    expect((await old.call('GET', '/v3/systems')).status).toBe(401);

    const environment = host.read(`${job.archiveSystemDir}/environment`);
    expect(environment).toMatch(new RegExp(`^_${NAME}JobUUID=${uuid}$`, 'm'));
    const seen: Record<string, string> = {
      claims: JSON.stringify(claims),
      environment,
      'names of files': host.tree().join('\n'),
      'launch script': readFileSync(host.path(job.execSystemExecDir, `${NAME}job.sh`), 'utf8'),
      'job record': JSON.stringify(job),
    };
    for (const answer of platform.answers.all()) seen[answer.split('\n', 1)[0]!] = answer;
    expect(
      Object.entries(seen)
        .filter(([, text]) => /svc/i.test(text))
        .map(([place, text]) => `${place}: ${around(text)}`),
    ).toEqual([]);
  });

  const around = (text: string) => {
    const at = text.search(/svc/i);
    return text.slice(Math.max(0, at - 40), at + 40);
  };
});
