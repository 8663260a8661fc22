import { mkdirSync, writeFileSync } from 'node:fs';
import { flow, PlatformProcess, type Session, TestHost, type App } from '@libs/flows';
import { end } from '../fixtures/end';
import { type HostilePath, hostilePaths } from '../fixtures/hostile-paths';
import { Traps } from '../fixtures/trap';

/** Each place of a job request that takes a path. */
const FIELDS: Record<string, (text: string, system: string, source: string) => object> = {
  execSystemExecDir: (text) => ({ execSystemExecDir: text }),
  execSystemInputDir: (text) => ({ execSystemInputDir: text }),
  execSystemOutputDir: (text) => ({ execSystemOutputDir: text }),
  archiveSystemDir: (text, system) => ({ archiveSystemId: system, archiveSystemDir: text }),
  dtnSystemInputDir: (text) => ({ dtnSystemInputDir: text }),
  dtnSystemOutputDir: (text) => ({ dtnSystemOutputDir: text }),
  'targetPath of an input': (text, system) => ({
    fileInputs: [{ sourceUrl: `svc://${system}/seed.txt`, targetPath: text }],
  }),
  'sourceUrl of an input': (text, _, source) => ({
    fileInputs: [{ sourceUrl: `svc://${source}/${text}`, targetPath: 'in.txt' }],
  }),
  'sourceUrl in place': (text) => ({
    fileInputs: [{ sourceUrl: `svclocal://exec.svc/${text}`, targetPath: 'in.txt' }],
  }),
  'targetDir of an input array': (text, system) => ({
    fileInputArrays: [{ name: 'array', sourceUrls: [`svc://${system}/seed.txt`], targetDir: text }],
  }),
  'names of the logs': (text) => ({
    parameterSet: { logConfig: { stdoutFilename: text, stderrFilename: text } },
  }),
  'archive filter': (text, system) => ({
    archiveSystemId: system,
    archiveSystemDir: 'archived/${JobUUID}',
    parameterSet: { archiveFilter: { includes: [text] } },
  }),
};

const TERMINAL = ['FINISHED', 'FAILED', 'CANCELLED'];

describe('a hostile path in a job', () => {
  let platform: PlatformProcess;
  let host: TestHost;
  let traps: Traps;
  let system: string;
  /** Another root directory beside the first: jobs that copy all of it don't copy each other. */
  let source: string;
  let app: App;
  let owner: Session;
  let paths: HostilePath[];

  beforeAll(async () => {
    host = await TestHost.start();
    mkdirSync(host.outside('source'));
    writeFileSync(host.outside('source', 'file.txt'), 'source\n');
    traps = new Traps(host);
    paths = hostilePaths(traps);
    platform = await PlatformProcess.start();
    const { given, me } = flow(platform);
    owner = await me();
    system = await given.system({ host });
    source = await given.system({ host, rootDir: host.outside('source'), canExec: false });
    app = await given.app({
      host,
      system,
      script: 'cat "$_svcExecSystemInputDir"/* 2>/dev/null || true',
    });
    host.put('seed.txt', 'seed\n');
  });
  afterAll(() => end(platform, [host]));

  it.each(Object.entries(FIELDS))(
    '%s: refused, or kept inside; nothing runs',
    async (name, field) => {
      const running: string[] = [];
      const found: string[] = [];
      for (const { name: path, text } of paths) {
        const body = { name: 'hostile', appId: app.id, appVersion: app.version };
        const reply = await owner.send('POST', '/v3/jobs/submit', {
          ...body,
          ...field(text, system, source),
        });
        if (reply.status === 200 || reply.status === 201) running.push(reply.json.result.uuid);
        else if (reply.status >= 500)
          found.push(`${path}: ${reply.status} ${reply.message.slice(0, 200)}`);
      }
      const late = AbortSignal.timeout(90_000);
      await Promise.all(running.map((uuid) => ended(uuid, late)));
      for (const uuid of running) {
        const job = await owner.ask('GET', `/v3/jobs/${uuid}`);
        if (!TERMINAL.includes(job.status))
          found.push(`${uuid} is ${job.status}: ${job.lastMessage} ${inputsOf(job)}`);
        const { execSystemExecDir, execSystemInputDir, execSystemOutputDir, archiveSystemDir } =
          job;
        for (const dir of [
          execSystemExecDir,
          execSystemInputDir,
          execSystemOutputDir,
          archiveSystemDir,
        ])
          if (dir && String(dir).split('/').includes('..'))
            found.push(`${uuid} has the directory ${dir}`);
      }
      expect(found).toEqual([]);
      expect([name, traps.sprung()]).toEqual([name, []]);
      expect(
        host.tree().filter((path) => host.isFile(path) && host.read(path).includes(traps.secret)),
      ).toEqual([]);
    },
    180_000,
  );

  it('in the output of a job: nothing outside is read', async () => {
    const { when, then } = flow(platform);
    const { uuid } = await when.submit(app);
    await then.job(uuid).reaches('FINISHED');
    const found: string[] = [];
    for (const { name, text } of paths)
      for (const what of ['list', 'download'])
        for (const wire of [
          text.split('/').map(encodeURIComponent).join('/'),
          encodeURIComponent(text),
        ]) {
          const reply = await owner.call('GET', `/v3/jobs/${uuid}/output/${what}/${wire}`);
          if (traps.seenIn(reply)) found.push(`${what} ${name}: the canary was read`);
          if (reply.status >= 500) found.push(`${what} ${name}: ${reply.status} ${reply.message}`);
        }
    expect(found).toEqual([]);
    expect(traps.sprung()).toEqual([]);
  });

  const inputsOf = ({ fileInputs }: { fileInputs: string }) => fileInputs.slice(0, 200);

  /** The job's events end with it. */
  async function ended(uuid: string, late: AbortSignal): Promise<void> {
    for await (const event of owner.events(`/v3/jobs/${uuid}/events`, undefined, late)) {
      const { newJobStatus } = JSON.parse(event.data);
      if (TERMINAL.includes(newJobStatus)) return;
    }
  }
});
