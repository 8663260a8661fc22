import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const SHELL_TOOLS = ['sh', 'cat', 'env', 'find', 'id', 'ls', 'mkdir', 'rm', 'sleep'];
const MORE_LIBRARIES = [
  'libnss_dns.so.2',
  'libnss_files.so.2',
  'libresolv.so.2',
  'librt.so.1',
  'libpthread.so.0',
  'libgcc_s.so.1',
];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** A root file system with Node, npm and a shell, made from this machine's own files: nothing is fetched. */
export function makeBase(root: string): void {
  const put = (from: string, to = from) => {
    mkdirSync(join(root, dirname(to)), { recursive: true });
    copyFileSync(realpathSync(from), join(root, to));
  };
  for (const folder of ['tmp', 'bin', 'usr/bin', 'etc'])
    mkdirSync(join(root, folder), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  put(process.execPath, '/usr/bin/node');
  for (const library of librariesOf(process.execPath)) put(library);
  put(
    ['/bin/busybox', '/usr/bin/busybox'].find((path) => existsSync(path))!,
    '/bin/busybox',
  );
  for (const tool of SHELL_TOOLS) symlinkSync('busybox', join(root, 'bin', tool));
  symlinkSync('/bin/env', join(root, 'usr/bin/env'));
  cpSync(npmFolder(), join(root, 'usr/lib/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
  chmodSync(join(root, 'usr/lib/npm/bin/npm-cli.js'), 0o755);
  if (existsSync(CERTIFICATES)) put(CERTIFICATES);
  writeFileSync(
    join(root, 'etc/passwd'),
    'root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n',
  );
}

/** What the image's own environment has to say for npm to work as it does here. */
export function baseEnvironment(): string[] {
  const registry = npm('config', 'get', 'registry');
  const certificates = existsSync(CERTIFICATES) ? [`NODE_EXTRA_CA_CERTS=${CERTIFICATES}`] : [];
  return ['PATH=/usr/bin:/bin', `npm_config_registry=${registry}`, ...certificates];
}

function librariesOf(program: string): string[] {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' });
  const found = [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!);
  // what ldd does not tell: name look-up, and what compiled packages bring themselves in for
  const more = found.flatMap((path) => MORE_LIBRARIES.map((name) => join(dirname(path), name)));
  return [...new Set([...found, ...more])].filter((path) => existsSync(path));
}

/** npm's own folder: what `npm` on PATH really is. */
function npmFolder(): string {
  const script = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'npm'))
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
    .find((path) => path.endsWith('npm-cli.js'));
  if (!script) throw new Error('npm is not on PATH');
  return dirname(dirname(script));
}

const npm = (...args: string[]): string =>
  execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
