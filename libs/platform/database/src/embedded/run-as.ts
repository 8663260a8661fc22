import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** How to start a program that refuses to run as root. */
export interface RunAs {
  /** Null when we are not root: everything runs as ourselves. */
  owner: { uid: number; gid: number } | null;
  command(
    program: string,
    args: string[],
  ): { file: string; args: string[]; ids: { uid?: number; gid?: number } };
}

/**
 * As root: the user `postgres` if there is one, else `nobody` (no account is ever made). With util-linux at hand the
 * server also ends when we do, and keeps the one capability it needs to walk through a checkout below `/root`.
 */
export async function runAs(): Promise<RunAs> {
  const owner = process.getuid?.() === 0 ? await unprivileged() : null;
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));
  return {
    owner,
    command(program, args) {
      if (!setpriv) return { file: program, args, ids: owner ?? {} };
      const change = owner
        ? [
            `--reuid=${owner.uid}`,
            `--regid=${owner.gid}`,
            '--clear-groups',
            '--inh-caps=-all,+dac_override',
            '--ambient-caps=-all,+dac_override',
            // else access(2), which initdb asks about its own program, leaves the capability out of account
            '--securebits=+no_setuid_fixup',
          ]
        : [];
      return {
        file: setpriv,
        args: [...change, '--pdeathsig=INT', '--', program, ...args],
        ids: {},
      };
    },
  };
}

async function unprivileged(): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const entry =
    lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody');
  if (!entry)
    throw new Error(
      'PostgreSQL does not run as root, and there is no user postgres or nobody to run it as',
    );
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}
