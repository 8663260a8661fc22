import type { LaunchPlan } from '@libs/job-runtimes';
import { docker, type DockerEngine, dockerMissing, until } from '@libs/kit';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostScript, type JobState, launcherOf, listen } from '../src';
import { runText } from './host-shell';

const fork = launcherOf('FORK', 'DOCKER')!;
const missing = dockerMissing();

(missing ? describe.skip : describe)(`docker on the host ${missing ?? ''}`, () => {
  let engine: DockerEngine;
  let home: string;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'fork-docker-'));
    engine = await docker();
  });
  afterAll(async () => {
    await engine?.close();
    rmSync(home, { recursive: true, force: true });
  });

  function planFor(app: string, given: Partial<LaunchPlan> = {}): LaunchPlan {
    const uuid = `${randomUUID()}-007`;
    const execDir = mkdtempSync(join(home, "it's, a job "));
    mkdirSync(join(execDir, 'output'));
    mkdirSync(join(execDir, 'input'));
    return {
      uuid,
      execDir,
      inputDir: join(execDir, 'input'),
      outputDir: join(execDir, 'output'),
      image: engine.image,
      prefix: '',
      appArgs: ['sh', '-c', `'${app}'`],
      containerArgs: ['--network none'],
      env: [{ key: '_svcJobUUID', value: uuid }],
      stdoutFile: 'svcjob.out',
      stderrFile: 'svcjob.out',
      mounts: [],
      ...given,
    };
  }
  const run = async (text: string) => {
    const env = { HOME: home, DOCKER_HOST: engine.address };
    return (await runText(['sh'], text, env)).stdout;
  };
  const stage = async (plan: LaunchPlan) => fork.stageProblem(await run(fork.stage(plan)));
  const launch = async (plan: LaunchPlan) => fork.readLaunch(await run(fork.launch(plan)));
  const ask = async (plan: LaunchPlan): Promise<JobState | undefined> =>
    fork.read(await run(hostScript(fork.ask([plan]))), [plan]).get(plan.uuid);
  const ended = (plan: LaunchPlan) =>
    until(async () => {
      const state = await ask(plan);
      return state?.kind === 'ended' ? state : undefined;
    });
  const control = (plan: LaunchPlan, name: string) =>
    join(plan.execDir, `.svcjob-${plan.uuid}`, name);
  const names = () => engine.docker('ps', '-a', '--format', '{{.Names}}').split('\n');

  it('runs the app with its mounts, arguments and variables', async () => {
    const local = join(mkdtempSync(join(home, 'local-')), 'da,ta');
    writeFileSync(local, 'local data\n');
    const app =
      'cat /SvcInput/in.txt /SvcInput/sub/d >/SvcOutput/out; echo "$V|$EMPTY|$1" >>/SvcOutput/out; id -u >>/SvcOutput/out; echo x >/SvcExec/exec; touch /SvcInput/no';
    const value = `a "b" 'c' $HOME #`;
    const plan = planFor(app, {
      mounts: [{ source: local, target: '/sub/d' }],
      env: [
        { key: 'EMPTY', value: '' },
        { key: 'V', value },
        { key: '_svcJobUUID', value: 'u' },
      ],
    });
    plan.appArgs = [...plan.appArgs, 'sh', '$V'];
    writeFileSync(join(plan.inputDir, 'in.txt'), 'in\n');
    expect(await stage(plan)).toBeUndefined();
    const answer = await launch(plan);
    expect(answer).toEqual({ kind: 'launched', id: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const { code, at } = await ended(plan);
    expect(code).toBe(1);
    expect(Math.abs(at!.getTime() - Date.now())).toBeLessThan(60_000);
    const out = readFileSync(join(plan.outputDir, 'out'), 'utf8');
    expect(out).toBe(`in\nlocal data\n${value}||${value}\n${process.getuid!()}\n`);
    expect(existsSync(join(plan.execDir, 'exec'))).toBe(true);
    expect(existsSync(join(plan.inputDir, 'no'))).toBe(false);
    expect(readFileSync(join(plan.execDir, '.cid'), 'utf8')).toBe((answer as { id: string }).id);
    await run(hostScript(fork.clear(plan)));
    expect(names()).not.toContain(plan.uuid);
    expect(existsSync(control(plan, ''))).toBe(false);
  });

  it('launches once, however many try at once and afterwards', async () => {
    const plan = planFor('echo run >>/SvcOutput/counter');
    await stage(plan);
    const answers = await Promise.all(Array.from({ length: 5 }, () => launch(plan)));
    expect(answers.every((a) => a.kind === 'launched' || a.kind === 'launching')).toBe(true);
    await ended(plan);
    const again = await launch(plan);
    expect(again.kind).toBe('launched');
    expect(readFileSync(join(plan.outputDir, 'counter'), 'utf8')).toBe('run\n');
    // Somebody removes the container before the platform has seen its end: it must not start again.
    engine.docker('rm', plan.uuid);
    expect(await ask(plan)).toEqual({ kind: 'vanished' });
    expect(await launch(plan)).toEqual({ kind: 'vanished' });
  });

  it('goes on with a launch that was cut off before the container was made', async () => {
    const plan = planFor('echo run >>/SvcOutput/counter');
    await stage(plan);
    writeFileSync(control(plan, 'claim'), '1 1 another-boot -\n');
    const host = readFileSync('/proc/sys/kernel/hostname', 'utf8').trim();
    writeFileSync(control(plan, 'claim'), `1 1 another-boot ${host}\n`);
    expect(await launch(plan)).toMatchObject({ kind: 'launched' });
    await ended(plan);
    expect(readFileSync(join(plan.outputDir, 'counter'), 'utf8')).toBe('run\n');
  });

  it('starts a container that was made and not started', async () => {
    const plan = planFor('echo run >>/SvcOutput/counter');
    await stage(plan);
    const args = ['--name', plan.uuid, '--label', `svc.job=${plan.uuid}`, '--network', 'none'];
    const bind = `type=bind,"source=${plan.outputDir}",target=/SvcOutput`;
    engine.docker(
      'create', ...args, '--mount', bind, engine.image, 'sh', '-c', 'echo run >>/SvcOutput/counter',
    ); // prettier-ignore
    writeFileSync(control(plan, 'claim'), `1 1 another-boot ${readHost()}\n`);
    expect(await ask(plan)).toEqual({ kind: 'launching' });
    expect(await launch(plan)).toMatchObject({ kind: 'launched' });
    await ended(plan);
    expect(readFileSync(join(plan.outputDir, 'counter'), 'utf8')).toBe('run\n');
  });
  const readHost = () => readFileSync('/proc/sys/kernel/hostname', 'utf8').trim();

  it('says why the engine refused', async () => {
    const plan = planFor('true', { containerArgs: ['--network none', '--workdir relative'] });
    await stage(plan);
    const answer = await launch(plan);
    expect(answer).toMatchObject({ kind: 'refused', text: expect.stringContaining('relative') });
    expect(await launch(plan)).toEqual(answer);
    const gone = planFor('true', { mounts: [{ source: '/no/such', target: 'x' }] });
    expect(await stage(gone)).toContain('there is no /no/such to mount');
  });

  it('kills', async () => {
    const plan = planFor('sleep 60');
    await stage(plan);
    await launch(plan);
    expect(await ask(plan)).toEqual({ kind: 'active' });
    expect(await run(fork.kill(plan))).toContain('::killed');
    expect(names()).not.toContain(plan.uuid);
    expect(await run(fork.kill(plan))).toContain('::killed');
  });

  it('tells ends by itself', async () => {
    const heard: string[] = [];
    const listener = spawn('sh', ['-s'], {
      env: { ...process.env, HOME: home, DOCKER_HOST: engine.address },
      detached: true,
    });
    listener.stdout.on('data', (d) => heard.push(...String(d).trim().split('\n')));
    listener.stdin.write(listen('d', 1, [fork.tells!]));
    await until(() => heard.includes('::listening'));
    const plan = planFor('sleep 0.5; exit 4');
    await stage(plan);
    await launch(plan);
    await until(() => heard.find((l) => l.startsWith(`::end ${plan.uuid} 4 `)));
    const closed = new Promise((resolve) => listener.on('close', resolve));
    listener.stdin.end();
    await closed;
  });

  it('says nothing about jobs while the engine is away', async () => {
    const plan = planFor('sleep 3');
    await stage(plan);
    await launch(plan);
    await engine.stop();
    expect(await ask(plan)).toBeUndefined();
    await engine.start();
    expect((await ask(plan))?.kind).toMatch(/active|ended/);
  });
});
