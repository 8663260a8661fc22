import type { LaunchPlan } from '@libs/job-runtimes';
import { until } from '@libs/kit';
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync,
} from 'node:fs'; // prettier-ignore
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostScript, type JobState, launcherOf, listen } from '../src';
import { runText } from './host-shell';

const fork = launcherOf('FORK', 'ZIP')!;
let home: string;
const SHELLS: [string, string[]][] = [
  ['dash', ['dash']],
  ['bash', ['bash', '--posix']],
];
const present = (shell: string[]) => {
  try {
    execFileSync(shell[0]!, [...shell.slice(1), '-c', 'true']);
    return true;
  } catch {
    return false;
  }
};

beforeAll(() => (home = mkdtempSync(join(tmpdir(), 'fork-'))));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Packs files into an archive and answers its path. */
function archive(files: Record<string, string>, name = 'app.tgz'): string {
  const dir = mkdtempSync(join(home, 'app-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const file = join(mkdtempSync(join(home, 'image-')), name);
  if (name.endsWith('.zip')) execFileSync('zip', ['-qr', file, '.'], { cwd: dir });
  else execFileSync('tar', ['-C', dir, '-czf', file, '.']);
  return file;
}

function planFor(app: string | Record<string, string>, given: Partial<LaunchPlan> = {}) {
  const uuid = `${randomUUID()}-007`;
  const execDir = mkdtempSync(join(home, "it's a job "));
  mkdirSync(join(execDir, 'output'));
  const files = typeof app === 'string' ? { 'svcjob_app.sh': `#!/bin/sh\n${app}\n` } : app;
  const plan: LaunchPlan = {
    uuid,
    execDir,
    inputDir: execDir,
    outputDir: join(execDir, 'output'),
    image: given.image ?? archive(files),
    prefix: '',
    appArgs: [],
    containerArgs: [],
    env: [{ key: '_svcJobUUID', value: uuid }],
    stdoutFile: 'svcjob.out',
    stderrFile: 'svcjob.out',
    mounts: [],
    ...given,
  };
  return plan;
}
const output = (plan: LaunchPlan, name: string) => readFileSync(join(plan.outputDir, name), 'utf8');

describe.each(SHELLS.filter(([, shell]) => present(shell)))(
  'with %s on the host',
  (_name, shell) => {
    const run = async (text: string) => {
      const ran = await runText(shell, text, { HOME: home });
      return ran.stdout;
    };
    const stage = async (plan: LaunchPlan) => fork.stageProblem(await run(fork.stage(plan)));
    const staged = async (plan: LaunchPlan) => {
      expect(await stage(plan)).toBeUndefined();
      return plan;
    };
    const launch = async (plan: LaunchPlan) => fork.readLaunch(await run(fork.launch(plan)));
    const ask = async (plan: LaunchPlan): Promise<JobState | undefined> =>
      fork.read(await run(hostScript(fork.ask([plan]))), [plan]).get(plan.uuid);
    const ended = (plan: LaunchPlan) =>
      until(async () => {
        const state = await ask(plan);
        return state?.kind === 'ended' ? state : undefined;
      });

    it('runs the app with its arguments and variables', async () => {
      const app = 'echo "[$1][$2][$3] $EMPTY|$VALUE|$PATHS" ; echo oops >&2; pwd';
      const plan = planFor(app, {
        appArgs: ["-n '5  6'", '$VALUE'],
        env: [
          { key: 'EMPTY', value: '' },
          { key: 'VALUE', value: `a 'b' "c" $HOME \`id\` *` },
          { key: '_svcJobUUID', value: 'u' },
        ],
        stderrFile: 'err',
      });
      await staged(plan);
      expect(statSync(join(plan.execDir, 'svcjob.sh')).mode & 0o777).toBe(0o770);
      expect(statSync(join(plan.execDir, 'svcjob.env')).mode & 0o777).toBe(0o660);
      const launched = await launch(plan);
      expect(launched).toEqual({ kind: 'launched', id: expect.stringMatching(/^\d+$/) });
      const before = Date.now();
      const { code, at } = await ended(plan);
      expect(code).toBe(0);
      expect(Math.abs(at!.getTime() - before)).toBeLessThan(60_000);
      const value = `a 'b' "c" $HOME \`id\` *`;
      expect(output(plan, 'svcjob.out')).toBe(`[-n][5  6][${value}] |${value}|\n${plan.execDir}\n`);
      expect(output(plan, 'err')).toBe('oops\n');
      expect(output(plan, 'svcjob.exitcode')).toBe('0\n');
      expect(readFileSync(join(plan.execDir, 'svcjob.pid'), 'utf8').trim()).toBe(
        (launched as { id: string }).id,
      );
    });

    it('launches once, however many try at once and afterwards', async () => {
      const plan = await staged(planFor('echo run >>counter; sleep 0.3'));
      const answers = await Promise.all(Array.from({ length: 8 }, () => launch(plan)));
      const ids = new Set(answers.map((a) => (a.kind === 'launched' ? a.id : a.kind)));
      expect(ids.size).toBe(1);
      await ended(plan);
      expect(await launch(plan)).toEqual(answers[0]);
      expect(await stage(plan)).toBeUndefined();
      expect(readFileSync(join(plan.execDir, 'counter'), 'utf8')).toBe('run\n');
    });

    it('takes an unsigned claim of a launch that was cut off for nothing', async () => {
      const plan = await staged(planFor('echo run >>counter'));
      writeFileSync(join(plan.execDir, `.svcjob-${plan.uuid}`, 'claim'), '');
      expect(await launch(plan)).toMatchObject({ kind: 'launched' });
      await ended(plan);
      expect(readFileSync(join(plan.execDir, 'counter'), 'utf8')).toBe('run\n');
    });

    it.each([
      ['exit 3', 3, '3\n'],
      ['echo 7 >output/svcjob.exitcode', 7, '7\n'],
      ['echo 0 >output/svcjob.exitcode; exit 4', 0, '0\n'],
      ['printf none >output/svcjob.exitcode; exit 5', 5, 'none'],
      ['kill -9 $$', 137, '137\n'],
      ['echo -1 >output/svcjob.exitcode', -1, '-1\n'],
    ])('%s ends with %s', async (app, code, file) => {
      const plan = await staged(planFor(app));
      writeFileSync(join(plan.outputDir, 'svcjob.exitcode'), '99\n');
      await launch(plan);
      expect(await ended(plan)).toMatchObject({ code });
      expect(output(plan, 'svcjob.exitcode')).toBe(file);
    });

    it('says what is going on, and sees a script that was cut off', async () => {
      const plan = await staged(planFor('sleep 60 & echo $! >child; wait'));
      expect(await ask(plan)).toMatchObject({ kind: 'unknown' });
      const { id } = (await launch(plan)) as { id: string };
      expect(await ask(plan)).toEqual({ kind: 'active' });
      process.kill(Number(id), 'SIGKILL');
      expect(await until(async () => (await ask(plan))?.kind === 'vanished')).toBe(true);
      writeFileSync(join(plan.outputDir, 'svcjob.exitcode'), '12\n');
      expect(await ask(plan)).toEqual({ kind: 'vanished', code: 12 });
      await run(fork.kill(plan));
    });

    it('does not take a later process of the same number for the job', async () => {
      const plan = await staged(planFor('sleep 60'));
      await launch(plan);
      const claim = join(plan.execDir, `.svcjob-${plan.uuid}`, 'claim');
      const line = readFileSync(claim, 'utf8').trim().split(' ');
      const write = (words: string[]) => writeFileSync(claim, `${words.join(' ')}\n`);
      write([String(process.pid), ...line.slice(1)]);
      expect(await ask(plan)).toEqual({ kind: 'vanished' });
      write([line[0]!, line[1]!, 'another-boot', line[3]!]);
      expect(await ask(plan)).toEqual({ kind: 'vanished' });
      write([line[0]!, line[1]!, 'another-boot', 'another-host']);
      expect(await ask(plan)).toMatchObject({ kind: 'unknown', why: 'it runs on another-host' });
      write(line);
      expect(await ask(plan)).toEqual({ kind: 'active' });
      await run(fork.kill(plan));
    });

    it('kills the app with all its children, those that left its session too', async () => {
      const app = `sleep 61.5 & setsid sleep 61.5 & (setsid sh -c 'sleep 61.5 & sleep 61.5' &) ; echo up >up; sleep 61.5`;
      const plan = await staged(planFor(app));
      await launch(plan);
      await until(() => existsSync(join(plan.execDir, 'up')));
      const alive = () => {
        const out = execFileSync('ps', ['-Ao', 'stat=,args=']).toString();
        return out.split('\n').filter((l) => /sleep 61\.5/.test(l) && !l.startsWith('Z')).length;
      };
      await until(() => alive() >= 5);
      expect(await run(fork.kill(plan))).toContain('::killed');
      await until(() => alive() === 0);
      expect(await run(fork.kill(plan))).toContain('::killed');
    });

    it('starts nothing after a kill', async () => {
      const plan = await staged(planFor('echo run >>counter'));
      await run(fork.kill(plan));
      await launch(plan);
      expect(existsSync(join(plan.execDir, 'counter'))).toBe(false);
    });

    it('tells its end to everybody who listens, and to nobody who is gone', async () => {
      const heard: string[] = [];
      const listeners = ['a', 'b'].map((name) => {
        const child = spawn(shell[0]!, [...shell.slice(1), '-s'], {
          env: { ...process.env, HOME: home },
          detached: true,
        });
        child.stdout.on('data', (d) => heard.push(...String(d).trim().split('\n')));
        child.stdin.write(listen(name, 1, []));
        return child;
      });
      await until(() => heard.filter((l) => l === '::listening').length === 2);
      execFileSync('mkfifo', [join(home, '.svc', 'gone.1.fifo')]);
      const plan = await staged(planFor('exit 6'));
      await launch(plan);
      const told = () => heard.filter((l) => l === `::end ${plan.uuid} 6`);
      await until(() => told().length === 2);
      expect(statSync(join(home, '.svc')).mode & 0o777).toBe(0o700);
      const closed = listeners.map((c) => new Promise((resolve) => c.on('close', resolve)));
      for (const { stdin } of listeners) stdin.end();
      await Promise.all(closed);
      expect(existsSync(join(home, '.svc', 'a.1.fifo'))).toBe(false);
      rmSync(join(home, '.svc'), { recursive: true });
    });

    describe('an archive', () => {
      it.each(['app.zip', 'app.tar.gz'])('%s with a manifest', async (name) => {
        const files = {
          'bin/tool': '#!/bin/sh\necho tool "$@"\n',
          'svcjob.manifest': '# svcjob_executable=no\nother=1\r\nsvcjob_executable=bin/tool\r\n',
        };
        const plan = await staged(planFor({}, { image: archive(files, name), appArgs: ['x y'] }));
        await launch(plan);
        expect((await ended(plan)).code).toBe(0);
        expect(output(plan, 'svcjob.out')).toBe('tool x y\n');
        expect(existsSync(plan.image)).toBe(true);
      });

      it.each([
        ['no program', { 'a.txt': '' }, 'neither svcjob_app.sh nor svcjob.manifest'],
        ['a manifest without it', { 'svcjob.manifest': 'x=y\n' }, 'names no svcjob_executable'],
        [
          'a way out',
          { 'svcjob.manifest': 'svcjob_executable=../../bin/sh\n' },
          'inside the archive',
        ],
        [
          'an absolute one',
          { 'svcjob.manifest': 'svcjob_executable=/bin/sh\n' },
          'inside the archive',
        ],
        ['a semicolon', { 'svcjob.manifest': 'svcjob_executable=a;b\n' }, 'inside the archive'],
        ['a missing one', { 'svcjob.manifest': 'svcjob_executable=a\n' }, 'has no file a'],
      ])('with %s is refused', async (_what, files, problem) => {
        expect(await stage(planFor(files as Record<string, string>))).toContain(problem);
      });

      it('that is none, or is not there, is refused', async () => {
        const broken = join(home, 'broken.zip');
        writeFileSync(broken, 'no archive');
        expect(await stage(planFor({}, { image: broken }))).toContain("unzip can't unpack");
        expect(await stage(planFor({}, { image: '/no/such.tgz' }))).toContain('there is no file');
      });

      it.each(['tgz', 'zip'])('that leads out of its directory is refused (%s)', async (kind) => {
        const dir = mkdtempSync(join(home, 'slip-'));
        mkdirSync(join(dir, 'in'));
        writeFileSync(join(dir, 'evil.txt'), 'evil');
        const image = join(dir, `slip.${kind}`);
        const tool = kind === 'zip' ? ['zip', '-q', image] : ['tar', '-P', '-czf', image];
        execFileSync(tool[0]!, [...tool.slice(1), '../evil.txt'], { cwd: join(dir, 'in') });
        const plan = planFor({}, { image });
        expect(await stage(plan)).toMatch(
          kind === 'zip' ? /leads outside: [./]*evil.txt/ : /evil.txt: Member name contains/,
        );
        expect(existsSync(join(plan.execDir, '..', 'evil.txt'))).toBe(false);
      });
    });

    it('names a directory it cannot write to', async () => {
      expect(await stage(planFor('true', { execDir: '/no/such/dir' }))).toContain("can't enter");
      expect(await launch(planFor('true'))).toEqual({ kind: 'missing' });
      const plan = planFor('true');
      if (process.getuid?.() === 0) return;
      chmodSync(plan.execDir, 0o500);
      expect(await stage(plan)).toContain("can't write the launch files");
    });
  },
);
