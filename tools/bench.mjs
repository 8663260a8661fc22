// `npm run bench`: measures the platform. One JSON line per measure on standard output, everything else on standard
// error. Arguments name the measures to take (default: all).
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { installDebianPackages } from './debian-packages.mjs';
import { root } from './services.mjs';

const BENCHES = {
  'job-overhead': 'job-overhead',
  'end-noticed': 'end-noticed',
  'jobs-throughput': 'jobs-throughput',
  'api-read': 'api-read',
  'transfer-large': 'transfer-large',
  'transfer-small': 'transfer-small',
  start: 'start',
  'idle-memory': 'start',
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length) {
  process.stderr.write(
    `No measure named ${unknown.join(', ')}; there are: ${Object.keys(BENCHES).join(', ')}\n`,
  );
  process.exit(2);
}
for (const note of installDebianPackages()) process.stderr.write(`${note}\n`);
await build(['test/load']);
const programs = new Set((asked.length ? asked : Object.keys(BENCHES)).map((n) => BENCHES[n]));
let failures = 0;
for (const program of programs) {
  process.stderr.write(`── ${program}\n`);
  const file = join(root, 'dist', 'test', 'load', 'src', `${program}.js`);
  const child = spawn(process.execPath, [file], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const code = await new Promise((done) => child.once('exit', done));
  if (code !== 0) {
    failures++;
    process.stderr.write(`${program} did not end well\n`);
  }
}
process.exit(failures ? 1 : 0);
