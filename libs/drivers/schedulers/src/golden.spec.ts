import type { LaunchPlan } from '@libs/job-runtimes';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { launcherOf, launchers } from './schedulers';

const PLAIN: LaunchPlan = {
  uuid: '11111111-2222-3333-4444-555555555555-007',
  execDir: '/work/jobs/1',
  inputDir: '/work/jobs/1',
  outputDir: '/work/jobs/1/output',
  image: '/apps/hello.tgz',
  prefix: '',
  appArgs: [],
  containerArgs: [],
  env: [{ key: '_svcJobUUID', value: '11111111-2222-3333-4444-555555555555-007' }],
  stdoutFile: 'svcjob.out',
  stderrFile: 'svcjob.out',
  mounts: [],
};
const RICH: LaunchPlan = {
  ...PLAIN,
  execDir: "/work/it's here",
  inputDir: '/work/in put',
  outputDir: '/work/out,put',
  prefix: 'mpirun -n 4',
  appArgs: ['-n 5', "'a  b' $SIZE", '"${HOME}/x;y" *'],
  env: [{ key: 'EMPTY', value: '' }, { key: 'SIZE', value: `5 "big" 'ones' $(id)` }, ...PLAIN.env],
  stdoutFile: 'my out.txt',
  stderrFile: 'err.txt',
  mounts: [{ source: '/data/set 1', target: 'set' }],
};
const RICH_OF: Record<string, Partial<LaunchPlan>> = {
  ZIP: { image: '/apps/my app.zip', containerArgs: ['--svc-zip-save'] },
  DOCKER: {
    image: 'registry.example.org/tool@sha256:0123',
    containerArgs: ['--network none', '-m 2g', '--volume=/a:/b', "-l 'x=y z'"],
  },
};
const plans = (runtime: string): Record<string, LaunchPlan> => ({
  plain: { ...PLAIN, ...(runtime === 'DOCKER' && { image: 'tool:1' }) },
  rich: { ...RICH, ...RICH_OF[runtime] },
});

/** Set GOLDEN=write to write the files anew; then read the difference. */
function golden(name: string, text: string): void {
  const file = join(__dirname, 'golden', name);
  if (process.env.GOLDEN === 'write') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, 'utf8'));
}

const cases = launchers().flatMap(({ key }) => ['plain', 'rich'].map((kind) => [key, kind]));

it.each(cases)('the launch files of %s, %s', (key, kind) => {
  const [scheduler, runtime] = key!.split(' ') as [string, string];
  const launcher = launcherOf(scheduler, runtime)!;
  const plan = plans(runtime)[kind!]!;
  launcher.check(plan);
  const folder = key!.toLowerCase().replace(' ', '-');
  golden(`${folder}/${kind}.sh`, launcher.script(plan));
  golden(`${folder}/${kind}.env`, launcher.envFile(plan));
});

it('has no launcher for what it cannot run', () => {
  expect(launcherOf('FORK', 'SINGULARITY')).toBeUndefined();
  expect(launcherOf('BATCH', 'DOCKER')).toBeUndefined();
});

describe('options', () => {
  const docker = launcherOf('FORK', 'DOCKER')!;
  const zip = launcherOf('FORK', 'ZIP')!;
  const checked = (containerArgs: string[], image = 'tool') => {
    docker.check({ ...PLAIN, image, containerArgs });
  };
  it.each([
    ['-d'], ['--detach'], ['-e A=b'], ['--env=A=b'], ['--env-file /x'], ['--cidfile x'], ['--name x'], ['--rm'],
    ['--user 0'], ['-u0'], ['--user=0'],
  ])('%s is reserved for docker', (arg) => expect(() => checked([arg])).toThrow('reserved')); // prettier-ignore
  it.each([
    ['--privileged'],
    ['--pid host'],
    ['other-image'],
    ['--network none evil'],
    ['$X'],
    ['-'],
  ])('%s is nothing for docker', (arg) => expect(() => checked([arg])).toThrow('not supported'));
  it.each([['--network'], ['-v'], ['-m 1g -h']])('%s lacks a value', (arg) =>
    expect(() => checked([arg])).toThrow('no value'),
  );
  it.each([['--network=host'], ['-p80:80'], ['-v "$HOME/a":/b'], ['--entrypoint', '/bin/sh']])(
    '%s %s is fine',
    (...args) => expect(() => checked(args.filter(Boolean))).not.toThrow(),
  );
  it('an image is a name', () => {
    expect(() => checked([], '--privileged')).toThrow('no name of an image');
    expect(() => zip.check({ ...PLAIN, image: 'relative.zip' })).toThrow('no absolute path');
  });
  it('ZIP takes one option', () => {
    expect(() => zip.check({ ...PLAIN, containerArgs: ['--network none'] })).toThrow('ZIP apps');
  });
});
