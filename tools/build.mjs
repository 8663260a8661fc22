// Compiles every TypeScript source under apps/ and libs/ (or the folders named as arguments) to dist/, skipping
// what is up to date. Import names of the workspace become relative paths, so dist/ runs without a loader.
import { transformFile } from '@swc/core';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathAliases } from './path-aliases.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const swcrc = JSON.parse(await readFile(join(root, '.swcrc'), 'utf8'));
const aliases = pathAliases(root);
const outOf = (source) => join(root, 'dist', relative(root, source)).replace(/\.ts$/, '.js');

async function sources(folder) {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((e) => e.isFile() && /\.ts$/.test(e.name) && !/\.(spec|d)\.ts$/.test(e.name))
    .map((e) => join(e.parentPath, e.name))
    .filter((file) => file.includes('/src/'));
}

function withRelativeImports(code, output) {
  return code.replace(
    /(require\(|from |import\()(["'])(@(?:libs|apps)\/[\w-]+)\2/g,
    (all, lead, quote, name) => {
      if (!aliases[name]) throw new Error(`${output}: unknown import ${name}`);
      const path = relative(dirname(output), outOf(aliases[name]));
      return `${lead}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
    },
  );
}

async function compile(source, newest) {
  const output = outOf(source);
  if (existsSync(output)) {
    const [a, b] = await Promise.all([stat(source), stat(output)]);
    if (b.mtimeMs >= Math.max(a.mtimeMs, newest)) return 0;
  }
  const { code, map } = await transformFile(source, {
    ...swcrc,
    swcrc: false,
    sourceFileName: source,
  });
  await mkdir(dirname(output), { recursive: true });
  const link = `//# sourceMappingURL=${basename(output)}.map`;
  await put(`${output}.map`, map);
  await put(output, `${withRelativeImports(code, output)}\n${link}\n`);
  return 1;
}

/** Whole or not at all: another process may be reading, or building the same. */
async function put(file, text) {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, text);
  await rename(unfinished, file);
}

/** Compiles the given folders (default: all) and drops outputs whose source is gone; answers how many files it wrote. */
export async function build(folders = ['apps', 'libs']) {
  const settings = await Promise.all(
    ['.swcrc', 'tsconfig.base.json', 'tools/build.mjs'].map((f) => stat(join(root, f))),
  );
  const newest = Math.max(...settings.map((s) => s.mtimeMs));
  const files = (await Promise.all(folders.map((f) => sources(resolve(root, f))))).flat();
  const done = await Promise.all(files.map((f) => compile(f, newest)));
  const wanted = new Set(files.map(outOf));
  for (const folder of folders) {
    const out = join(root, 'dist', folder);
    if (!existsSync(out)) continue;
    for (const e of await readdir(out, { recursive: true, withFileTypes: true })) {
      const file = join(e.parentPath, e.name);
      if (e.isFile() && file.endsWith('.js') && !wanted.has(file)) await rm(file, { force: true });
    }
  }
  return done.reduce((a, b) => a + b, 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const started = performance.now();
  const count = await build(process.argv.length > 2 ? process.argv.slice(2) : undefined);
  process.stderr.write(`built ${count} files in ${Math.round(performance.now() - started)} ms\n`);
}
