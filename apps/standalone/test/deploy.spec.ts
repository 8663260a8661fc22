import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from './launched';

interface Service {
  name: string;
  identity: string;
  prefixes: string[];
}

const repository = resolve(__dirname, '../../..');
const deploy = join(repository, 'deploy');
let services: Service[];
let site: string;

beforeAll(() => {
  build();
  const records = `JSON.stringify(require('./dist/apps/standalone/src/services.js').SERVICES)`;
  const text = execFileSync(process.execPath, ['-p', records], {
    cwd: repository,
    encoding: 'utf8',
  });
  services = JSON.parse(text) as Service[];
  // the script writes beside itself
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  cpSync(join(deploy, 'site-settings.mjs'), join(folder, 'site-settings.mjs'));
  execFileSync(process.execPath, [join(folder, 'site-settings.mjs'), 'https://hpc.example.org']);
  site = join(folder, 'site');
});

afterAll(() => rmSync(join(site, '..'), { recursive: true, force: true }));

const compose = () => readFileSync(join(deploy, 'compose.yaml'), 'utf8');
const settings = (name: string) => readFileSync(join(site, `${name}.env`), 'utf8');

it('has every service in the compose file, with its own settings', () => {
  for (const { name } of services) {
    expect(compose()).toContain(`environment: { SERVICE: ${name} }`);
    expect(compose()).toContain(`env_file: [site/common.env, site/${name}.env]`);
    expect(readdirSync(site)).toContain(`${name}.env`);
  }
});

it('leads each path prefix to its service', () => {
  const gateway = readFileSync(join(deploy, 'gateway.conf'), 'utf8');
  for (const { name, prefixes } of services)
    for (const prefix of prefixes) {
      const [, variable] =
        new RegExp(`location ${prefix} { proxy_pass \\$(\\w+); }`).exec(gateway) ?? [];
      expect([
        prefix,
        variable && gateway.includes(`set $${variable} http://${name}:3000;`),
      ]).toEqual([prefix, true]);
    }
});

it('gives every service the password of its name in tokens', () => {
  const [, known] = /SERVICE_PASSWORDS='(.*)'/.exec(settings('security-kernel'))!;
  const passwords = JSON.parse(known!) as Record<string, string>;
  for (const { name, identity } of services)
    expect(settings(name)).toContain(`SERVICE_PASSWORD='${passwords[identity]}'`);
  const [, sites] = /SEED_SITES='(.*)'/.exec(settings('sites-tenants'))!;
  const [record] = JSON.parse(sites!) as { services: string[]; base_url: string }[];
  expect(record!.services.toSorted()).toEqual(
    [...new Set(services.map((s) => s.identity))].toSorted(),
  );
  expect(record!.base_url).toBe('https://admin.hpc.example.org');
});
