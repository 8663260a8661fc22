// The one script that must run on whatever Node a machine has (20.19 or later) before anything is installed:
// installs the packages when the lock file changed, then runs the chosen command on the pinned runtime that came with them.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_TO_INSTALL = [20, 19];
const OLDEST_TO_RUN = [24, 7];
const COMMANDS = {
  start: 'dist/apps/standalone/src/main.js',
  infra: 'dist/apps/standalone/src/infra.js',
  tenant: 'dist/apps/standalone/src/admin/tenant.js',
  site: 'dist/apps/standalone/src/admin/site.js',
  test: 'tools/test.mjs',
  bench: 'tools/bench.mjs',
  check: 'tools/check.mjs',
  build: 'tools/build.mjs',
  openapi: 'tools/openapi.mjs',
  serve: 'tools/serve.mjs',
};

const self = fileURLToPath(import.meta.url);
const root = resolve(dirname(self), '..');
const bin = join(root, 'node_modules', '.bin');
const pinned = join(bin, process.platform === 'win32' ? 'node.cmd' : 'node');
const [command, ...args] = process.argv.slice(2);

function give(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

function atLeast(version, [major, minor]) {
  const [a, b] = version.replace(/^v/, '').split('.').map(Number);
  return a > major || (a === major && b >= minor);
}

/** The environment of everything that follows: the packages' own commands, and so the pinned Node, come first. */
function environment() {
  const inherited = (process.env.PATH || '').split(delimiter).filter((part) => part !== bin);
  return { ...process.env, PATH: [bin, ...inherited].join(delimiter), NX_DAEMON: 'false' };
}

const stampFile = join(root, 'node_modules', '.installed');
const lockFile = join(root, 'package-lock.json');
const wantedStamp = () =>
  createHash('sha256')
    .update(readFileSync(lockFile))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');

/** True when a developer's own `npm install` already brought what the lock file names. */
function installedByHand() {
  try {
    const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages;
    const present = JSON.parse(
      readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8'),
    ).packages;
    return Object.entries(wanted).every(
      ([path, { version, optional, link }]) =>
        !path || link || (present[path] ? present[path].version === version : optional),
    );
  } catch {
    return false;
  }
}

function install() {
  const stamp = wantedStamp();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  if (!installedByHand()) {
    process.stderr.write('Installing packages (only when the lock file changed) ...\n');
    const npmScript = process.env.npm_execpath;
    // NODE_ENV=production would leave the compiler out; an inherited `--omit=optional` the runtime and PostgreSQL.
    const options = [
      'ci',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    const [program, first] =
      npmScript && npmScript.endsWith('.js') ? [process.execPath, [npmScript]] : ['npm', []];
    const { status, error } = spawnSync(program, [...first, ...options], {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: program === 'npm' && process.platform === 'win32',
    });
    if (status !== 0)
      give(`npm ci did not succeed${error ? ` (${error.message})` : ''}; see its output above.`);
  }
  writeFileSync(stampFile, stamp);
}

/** The Node that runs the platform: the pinned one, else this machine's if it is new enough. */
function runtime() {
  if (existsSync(pinned)) {
    if (realpathSync(pinned) === realpathSync(process.execPath)) return process.execPath;
    const { status, stdout } = spawnSync(pinned, ['-p', 'process.version'], { encoding: 'utf8' });
    if (status === 0 && atLeast(stdout.trim(), OLDEST_TO_RUN)) return realpathSync(pinned);
  }
  if (atLeast(process.version, OLDEST_TO_RUN)) return process.execPath;
  return give(
    `No Node is packaged for ${process.platform} ${process.arch}: install Node ${OLDEST_TO_RUN.join('.')} or later (this is ${process.version}).`,
  );
}

/** Runs a program in place of this one where the runtime can (no process stays in between), else as a child. */
function become(program, programArgs, env) {
  if (process.execve && process.platform !== 'win32') {
    process.execve(program, [program, ...programArgs], env);
    return;
  }
  const child = spawn(program, programArgs, { stdio: 'inherit', env, cwd: root });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => give(`${program}: ${error.message}`));
  child.on('exit', (code, signal) =>
    process.exit(signal ? 128 + (constants.signals[signal] || 0) : code),
  );
}

async function main() {
  if (!atLeast(process.version, OLDEST_TO_INSTALL))
    give(
      `Node ${OLDEST_TO_INSTALL.join('.')} or later is needed to begin with (this is ${process.version}).`,
    );
  if (!Object.hasOwn(COMMANDS, command))
    give(`usage: node tools/bootstrap.mjs ${Object.keys(COMMANDS).join('|')} [arguments]`);
  process.chdir(root);
  install();
  const node = runtime();
  const env = environment();
  if (realpathSync(process.execPath) !== realpathSync(node))
    return become(node, [self, command, ...args], env);
  if (command !== 'build') {
    const { build } = await import('./build.mjs');
    await build();
  }
  if (command === 'start' || command === 'infra') {
    const { HOST_COMMANDS, installDebianPackages } = await import('./debian-packages.mjs');
    installDebianPackages(HOST_COMMANDS);
  }
  // Compiled code is kept between starts: the second one reads it instead of parsing every package again.
  const flags =
    command === 'start'
      ? { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile') }
      : {};
  return become(node, [join(root, COMMANDS[command]), ...args], { ...env, ...flags });
}

main().catch((error) => give(error.message || String(error)));
