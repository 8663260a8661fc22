import type { Readable, Writable } from 'node:stream';
import type { RemoteCommand } from '@libs/hosts';
import { StorageError } from '../storage-error';
import type { Bundle } from '../store';
import type { LinuxHost } from './linux-host';
import { hostTools } from './linux-tools';

/** Records of 64 KiB: with tar's own 10 KiB every SSH packet goes out a third full. */
const BLOCKS = '-b 128';

/** True when the host's tar, stat and xargs are the ones whose options we use. */
export async function canBundle(host: LinuxHost): Promise<boolean> {
  const tools = await hostTools(host.host);
  return (['tar', 'stat', 'xargs', 'find'] as const).every((tool) => tools.has(tool));
}

/**
 * Files below `base` as a tar stream. Links are followed; modes are reduced to read, write and "somebody executes",
 * so that the unpacking side decides the rest by its umask.
 */
export async function bundleOut(
  host: LinuxHost,
  base: string,
  files: string[],
): Promise<Bundle<Readable>> {
  const where = host.quoted(host.absolute(base));
  const follow = host.jailed ? '' : '-h';
  const command = await host.host.stream(
    `exec tar -c ${BLOCKS} ${follow} -C ${where} --mode='u=rwX,go=rw' --owner=0 --group=0 --numeric-owner --no-recursion --format=gnu --null -T - -f -`,
  );
  command.stdin.end(list(files));
  return bundle(command, command.stdout, base);
}

/** Unpacks below `base`; a file that is there is overwritten in place, as writing it would. */
export async function bundleIn(host: LinuxHost, base: string): Promise<Bundle<Writable>> {
  const where = host.quoted(host.absolute(base));
  const command = await host.host.stream(
    `exec tar -x ${BLOCKS} -C ${where} --overwrite --no-same-owner --no-same-permissions --touch --keep-directory-symlink -f -`,
  );
  command.stdout.resume();
  return bundle(command, command.stdin, base);
}

/** Whether there is any link below a directory. */
export async function hasLinks(host: LinuxHost, base: string): Promise<boolean> {
  const where = host.quoted(host.absolute(base));
  const { stdout } = await host.run(base, `exec find -H ${where} -type l -print -quit`);
  return stdout !== '';
}

export async function mkdirs(host: LinuxHost, paths: string[]): Promise<void> {
  if (!paths.length) return;
  const input = paths.map((p) => `${host.absolute(p)}\0`).join('');
  await host.run(paths[0]!, 'exec xargs -0 mkdir -p --', input);
}

export async function sizes(
  host: LinuxHost,
  base: string,
  files: string[],
): Promise<Map<string, number>> {
  if (!files.length) return new Map();
  const command = `cd ${host.quoted(host.absolute(base))} && { xargs -0 stat -L --printf='%s %n\\0' -- 2>/dev/null; :; }`;
  const { stdout } = await host.run(base, command, list(files));
  const found = new Map<string, number>();
  for (const line of stdout.split('\0')) {
    const blank = line.indexOf(' ');
    if (blank > 0) found.set(plain(line.slice(blank + 1)), Number(line.slice(0, blank)));
  }
  return found;
}

/** As the host's own `test` sees it, so a mode, an owner and a read-only file system all count. */
const ALLOWED = {
  read: '[ -f "$f" ] && [ -r "$f" ]',
  write: 'if [ -e "$f" ]; then [ -f "$f" ] && [ -w "$f" ]; else [ -w "${f%/*}" ]; fi',
};

export async function refused(
  host: LinuxHost,
  base: string,
  files: string[],
  to: keyof typeof ALLOWED,
): Promise<Set<string>> {
  if (!files.length) return new Set();
  const each = `for f; do { ${ALLOWED[to]}; } || printf '%s\\0' "$f"; done`;
  const where = host.quoted(host.absolute(base));
  const command = `cd ${where} && exec xargs -0 sh -c ${host.quoted(each)} sh`;
  const { stdout } = await host.run(base, command, list(files));
  return new Set(stdout.split('\0').filter(Boolean).map(plain));
}

/** `./` keeps names that begin with a dash from being options. */
function list(files: string[]): string {
  return files.map((file) => `./${file}\0`).join('');
}

const plain = (listed: string): string => listed.replace(/^\.\//, '');

function bundle<S extends Readable | Writable>(
  command: RemoteCommand,
  stream: S,
  base: string,
): Bundle<S> {
  const done = command.done.then(({ code, signal, stderr }) => {
    if (code === 0) return;
    const said = stderr.trim().split('\n').slice(-3).join('; ').slice(0, 500);
    throw new StorageError('failed', base, `tar ended with ${code ?? signal}: ${said}`);
  });
  done.catch(() => undefined);
  return { stream, done, abort: () => command.kill() };
}
