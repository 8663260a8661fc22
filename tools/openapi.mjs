// Writes docs/openapi/<service>.json from the running metadata of each service; with --check compares instead.
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { built, definitionOf, root, serviceNames } from './services.mjs';

const folder = join(root, 'docs', 'openapi');
const check = process.argv.includes('--check');

built('@libs/platform-name').setPlatformName('svc');
const { openApiOf } = built('@libs/service-kit');

const sorted = (value) =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, sorted(value[key])]),
      )
    : Array.isArray(value)
      ? value.map(sorted)
      : value;

const wanted = new Map();
for (const app of serviceNames()) {
  const definition = definitionOf(app);
  // A worker answers health probes alone: nothing that a client would read a document for.
  if (!definition.prefixes.length) continue;
  wanted.set(
    `${definition.name}.json`,
    `${JSON.stringify(sorted(await openApiOf(definition)), null, 2)}\n`,
  );
}

await mkdir(folder, { recursive: true });
const present = (await readdir(folder)).filter((name) => name.endsWith('.json'));
const differing = [];
for (const [name, text] of wanted) {
  const now = present.includes(name) ? await readFile(join(folder, name), 'utf8') : '';
  if (now === text) continue;
  differing.push(name);
  if (!check) await writeFile(join(folder, name), text);
}
for (const name of present.filter((file) => !wanted.has(file))) {
  differing.push(name);
  if (!check) await rm(join(folder, name));
}

if (check && differing.length) {
  process.stderr.write(
    `docs/openapi is not what the services say: ${differing.join(', ')}. Run: npm run openapi\n`,
  );
  process.exit(1);
}
process.stderr.write(
  `${wanted.size} OpenAPI documents ${check ? 'agree' : `written, ${differing.length} changed`}\n`,
);
process.exit(0);
