// `npm run bench [-- name ...]`: every measure of test/load, one after the other, each in a process of its own.
import { join } from 'node:path';
import { build } from './build.mjs';
import { run } from './checks.mjs';
import { installDebianPackages } from './debian-packages.mjs';
import { root } from './services.mjs';

const MEASURES = [
  'start',
  'job-overhead',
  'end-noticed',
  'jobs-throughput',
  'api-read',
  'auth-cost',
  'sk-permitted',
  'transfer-large',
  'transfer-small',
  'list-scale',
];

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !MEASURES.includes(name));
if (unknown.length) {
  process.stderr.write(`No measure ${unknown.join(', ')}; there are: ${MEASURES.join(', ')}\n`);
  process.exit(1);
}

for (const note of installDebianPackages(['sshd', 'ssh', 'tar', 'ps']))
  process.stderr.write(`${note}\n`);
await build(['apps', 'libs', 'test/load']);
const failed = [];
for (const name of chosen.length ? chosen : MEASURES) {
  process.stderr.write(`── ${name}\n`);
  if (await run(process.execPath, [join(root, 'dist/test/load/src', `${name}.js`)]))
    failed.push(name);
}
if (failed.length) process.stderr.write(`Not measured: ${failed.join(', ')}\n`);
process.exit(failed.length ? 1 : 0);
