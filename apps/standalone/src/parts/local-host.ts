import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../problem';
import type { DataFolder } from './data-folder';
import { freePort } from './ports';
import { answers, endChild, endProcess, hasChildren, killChild } from './running';

const SERVER_PLACES = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/lib/ssh/sshd', '/sbin/sshd'];
const SFTP_SUBSYSTEM = 'internal-sftp';
/** Reading the services' code meanwhile keeps this process from looking for seconds on a busy machine. */
const START_DEADLINE_MS = 30_000;
const SESSION_END_MS = 1500;

/** An OpenSSH server on loopback that lets the current user in with a key of its own. */
export interface LocalHost {
  host: string;
  port: number;
  user: string;
  publicKey: string;
  privateKey: string;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Starts the server anew; one that a killed start left behind is stopped first. Jobs on it are not touched. */
export async function startLocalHost(data: DataFolder): Promise<LocalHost> {
  const server = SERVER_PLACES.find((place) => existsSync(place));
  if (!server)
    throw new Problem(
      "OpenSSH's server is missing: install it (Debian and Ubuntu: apt-get install openssh-server).",
    );
  data.folder('sshd');
  const file = (name: string) => data.at('sshd', name);
  const config = file('sshd_config');
  if (existsSync(file('sshd.pid')))
    await endProcess(Number(readFileSync(file('sshd.pid'), 'utf8')), config);
  for (const key of ['host_key', 'user_key']) makeKey(file(key));
  const host = '127.0.0.1';
  const port = await freePort(
    host,
    existsSync(file('port')) ? Number(readFileSync(file('port'))) : 0,
  );
  writeFileSync(file('port'), String(port));
  writeFileSync(file('authorized_keys'), readFileSync(file('user_key.pub')));
  writeFileSync(config, configuration(host, port, file));
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const child = spawn(server, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (output = (output + text).slice(-2000)));
  if (!(await answers(child, host, port, START_DEADLINE_MS))) {
    await endChild(child, 500);
    throw new Problem(`sshd did not start on ${host}:${port}: ${output.trim().split('\n').at(-1)}`);
  }
  return {
    host,
    port,
    user: userInfo().username,
    publicKey: readFileSync(file('user_key.pub'), 'utf8').trim(),
    privateKey: readFileSync(file('user_key'), 'utf8'),
    async stop() {
      // connections are closed by now; what their sessions still run ends a moment later, and must not outlive us
      for (const until = Date.now() + SESSION_END_MS; Date.now() < until; await pause(20))
        if (!hasChildren(child.pid!)) break;
      await endChild(child, 1000);
    },
    kill: () => killChild(child),
  };
}

function configuration(host: string, port: number, file: (name: string) => string): string {
  return [
    `ListenAddress ${host}:${port}`,
    `HostKey ${file('host_key')}`,
    `PidFile ${file('sshd.pid')}`,
    `AuthorizedKeysFile ${file('authorized_keys')}`,
    `AllowUsers ${userInfo().username}`,
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    `UsePAM ${isLockedRoot() ? 'yes' : 'no'}`,
    'StrictModes no',
    'PrintMotd no',
    'MaxStartups 100',
    'MaxSessions 100',
    `Subsystem sftp ${SFTP_SUBSYSTEM}`,
    '',
  ].join('\n');
}

/** Without PAM sshd refuses an account whose password is locked (`!`), even when a key is offered. */
function isLockedRoot(): boolean {
  try {
    const name = userInfo().username;
    const line = readFileSync('/etc/shadow', 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith(`${name}:`));
    return line?.split(':')[1]?.startsWith('!') ?? false;
  } catch {
    return false;
  }
}

function makeKey(path: string): void {
  if (existsSync(path) && existsSync(`${path}.pub`)) return;
  rmSync(path, { force: true });
  const { status, stderr, error } = spawnSync(
    'ssh-keygen',
    ['-q', '-t', 'ed25519', '-N', '', '-C', 'local', '-f', path],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Problem(`ssh-keygen failed: ${error?.message ?? stderr.trim()}`);
}
