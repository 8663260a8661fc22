import { spawnSync } from 'node:child_process';
import { root } from './launched';

const bootstrap = (version: string | undefined, ...args: string[]) => {
  const pretend = `Object.defineProperty(process, 'version', { value: '${version}' })`;
  const options = version
    ? ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`]
    : [];
  const run = spawnSync(process.execPath, [...options, 'tools/bootstrap.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return { code: run.status, said: run.stderr, printed: run.stdout };
};

it.each(['v18.20.4', 'v20.18.1'])('tells in one line that Node %s is too old', (version) => {
  expect(bootstrap(version, 'start', '--once')).toEqual({
    code: 1,
    said: `Node 20.19 or later is needed to begin with (this is ${version}).\n`,
    printed: '',
  });
});

it('names its commands', () => {
  const { code, said } = bootstrap(undefined, 'dance');
  expect(code).toBe(1);
  expect(said).toMatch(/^usage: .*start\|infra\|tenant\|site\|test\|bench/);
});

it('becomes the command, with its arguments and its exit code', () => {
  expect(bootstrap(undefined, 'start', '--help')).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/^npm start -- /) as string,
  });
  expect(bootstrap(undefined, 'start', '--dance')).toMatchObject({
    code: 1,
    said: expect.stringContaining("Unknown option '--dance'") as string,
  });
});
