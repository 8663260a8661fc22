import { docker, type DockerEngine, dockerMissing, until } from '@libs/kit';
import { jobsCancel } from '@libs/messages';
import { MessageBus } from '@libs/messaging';
import type { DeepPartial } from './world';
import type { NewJob } from '@libs/jobs-store';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { World } from './world';

const missing = dockerMissing();

(missing ? describe.skip : describe)(`jobs of runtime DOCKER ${missing ?? ''}`, () => {
  let engine: DockerEngine;
  let world: World;
  beforeAll(async () => {
    engine = await docker();
    world = await World.start({ DOCKER_HOST: engine.address });
    await world.work();
  });
  afterAll(async () => {
    await world?.close();
    await engine?.close();
  });
  const arg = (text: string) => ({ name: null, description: null, arg: text, notes: null });
  const submit = (program: string, more: DeepPartial<NewJob> = {}, args: string[] = []) =>
    world.submit('', {
      ...more,
      definition: {
        ...more.definition,
        app: { runtime: 'DOCKER', containerImage: engine.image },
        parameterSet: {
          appArgs: ['sh', '-c', `'${program}'`, 'sh', ...args].map(arg),
          containerArgs: [arg('--network none')],
          ...more.definition?.parameterSet,
        },
      },
    });
  const names = () => engine.docker('ps', '-a', '--format', '{{.Names}}').split('\n');

  it('run to their end and leave no container', async () => {
    mkdirSync(join(world.host.root, 'set'));
    writeFileSync(join(world.host.root, 'set', 'file'), 'in place\n');
    const local = {
      name: null, description: null, envKey: null, autoMountLocal: true, notes: null, optional: false,
      sourceUrl: 'svclocal://exec.svc/set', targetPath: 'data', srcSharedAppCtx: '', destSharedAppCtx: '',
    }; // prettier-ignore
    const program =
      'cat /SvcInput/data/file; cat /SvcInput/data/file >/SvcOutput/out; echo "$1" >>/SvcOutput/out';
    const job = await submit(program, { definition: { fileInputs: [local] } }, ["'a  b'"]);
    const done = await world.reaches(job, 'FINISHED');
    expect(done.remoteJobId).toMatch(/^[0-9a-f]{64}$/);
    expect(done.remoteResultInfo).toBe('0');
    expect(world.output(job, 'out')).toBe('in place\na  b\n');
    expect(names()).not.toContain(job.uuid);
    expect(world.exists(job, 'output', 'svcjob.env')).toBe(true);
  });

  it('tell their end at once, with their exit code', async () => {
    const job = await submit('sleep 1; exit 7');
    await world.reaches(job, 'RUNNING');
    const done = await world.reaches(job, 'FAILED');
    expect(done).toMatchObject({ remoteResultInfo: '7', condition: 'JOB_REMOTE_OUTCOME_ERROR' });
    // The first question would come after five seconds.
    const ran = done.ended!.getTime() - done.remoteStarted!.getTime();
    expect(ran).toBeLessThan(4_800);
  });

  it('say why the engine refuses them', async () => {
    const containerArgs = [arg('--network none'), arg('--workdir relative')];
    const job = await submit('true', { definition: { parameterSet: { containerArgs } } });
    const done = await world.reaches(job, 'FAILED');
    expect(done.condition).toBe('JOB_LAUNCH_FAILURE');
    expect(done.lastMessage).toMatch(/refused to launch the app.*relative/);
    const reserved = [arg('--user 0')];
    const other = await submit('true', {
      definition: { parameterSet: { containerArgs: reserved } },
    });
    expect((await world.reaches(other, 'FAILED')).lastMessage).toContain('--user is reserved');
  });

  it('are killed when they are cancelled', async () => {
    const job = await submit('sleep 60');
    await world.reaches(job, 'RUNNING');
    await world.store.cancel('dev', job.uuid, 'testuser1');
    for (const w of world.workers) await w.get(MessageBus).publish(jobsCancel, { uuid: job.uuid });
    await world.reaches(job, 'CANCELLED');
    await until(() => !names().includes(job.uuid));
  });

  it('outlive their worker', async () => {
    const job = await submit('echo run >>/SvcExec/counter; sleep 1');
    await world.reaches(job, 'RUNNING');
    await world.stopWorkers();
    await world.work();
    await world.reaches(job, 'FINISHED');
    expect(world.launches(job)).toBe(1);
  });
});
