import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { descendants } from './sshd-processes';

export interface SshdOptions {
  /** More lines for sshd_config, e.g. `MaxSessions 2`. */
  config?: string[];
  /** Also lets a fresh account in by password (root only: it is made with useradd and removed again). */
  passwordAccount?: boolean;
  /** Where its folder is made; the system's temporary folder when absent. */
  within?: string;
}

/** What `HostPool.host()` wants. */
export interface SshdLogin {
  host: string;
  port: number;
  user: string;
  auth: { privateKey: string };
  hostKeys?: string[];
}

/** A real OpenSSH server of its own on a free loopback port; people log in as the current user with a generated key. */
export class Sshd {
  readonly host = '127.0.0.1';
  port = 0;
  readonly user = userInfo().username;
  /** An empty directory for the test, removed with the server. */
  readonly root: string;
  privateKey!: string;
  publicKey!: string;
  /** Fingerprint, `SHA256:…`. */
  hostKey!: string;
  /** A second account with a password, when asked for. */
  account?: { user: string; password: string };
  private readonly folder: string;
  private child?: ChildProcess;
  private accepted = 0;
  private logged = '';

  private constructor(private readonly options: SshdOptions) {
    this.folder = mkdtempSync(join(options.within ?? tmpdir(), 'sshd-'));
    this.root = join(this.folder, 'root');
    mkdirSync(this.root);
  }

  static async start(options: SshdOptions = {}): Promise<Sshd> {
    const server = new Sshd(options);
    server.makeKey('user_key');
    server.privateKey = readFileSync(join(server.folder, 'user_key'), 'utf8');
    server.publicKey = readFileSync(join(server.folder, 'user_key.pub'), 'utf8').trim();
    writeFileSync(join(server.folder, 'authorized_keys'), `${server.publicKey}\n`, { mode: 0o644 });
    server.newHostKey();
    if (options.passwordAccount) server.makeAccount();
    await server.start();
    return server;
  }

  /** A login with the right key, unpinned unless `pinned`. */
  login(pinned = false): SshdLogin {
    const { host, port, user, privateKey } = this;
    return { host, port, user, auth: { privateKey }, ...(pinned && { hostKeys: [this.hostKey] }) };
  }

  /** Logins accepted since the start, over restarts. */
  connections(): number {
    return this.accepted;
  }

  log(): string {
    return this.logged;
  }

  /** Lets another public key in, too. */
  authorize(publicKey: string): void {
    writeFileSync(join(this.folder, 'authorized_keys'), `${publicKey.trim()}\n`, { flag: 'a' });
  }

  /** The host is away: the port is closed and every session is cut. Commands that detached themselves live on. */
  async stop(): Promise<void> {
    const child = this.child;
    if (!child?.pid) return;
    this.child = undefined;
    const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
    const sessions = descendants(child.pid, 'sshd');
    child.kill('SIGKILL');
    for (const pid of sessions) kill(pid);
    await gone;
  }

  /** Cuts the sessions and keeps listening. */
  cut(): void {
    if (this.child?.pid) for (const pid of descendants(this.child.pid, 'sshd')) kill(pid);
  }

  /** Back on the same port after `stop`. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      this.port ||= await freePort();
      this.configure();
      const failure = await this.listen();
      if (!failure) return;
      if (attempt >= 5) throw new Error(`sshd does not start: ${failure}`);
      if (attempt > 2 && this.accepted === 0) this.port = 0;
      await new Promise((r) => setTimeout(r, 50 * attempt));
    }
  }

  /** Another host key; seen after the next `start`. */
  newHostKey(): void {
    for (const name of ['host_key', 'host_key.pub'])
      rmSync(join(this.folder, name), { force: true });
    this.makeKey('host_key');
    const printed = execFileSync('ssh-keygen', [
      '-lf',
      join(this.folder, 'host_key.pub'),
    ]).toString();
    this.hostKey = printed.split(' ')[1]!;
  }

  /** Ends everything and removes its files. */
  async close(): Promise<void> {
    await this.stop();
    if (this.account) execFileSync('userdel', ['-rf', this.account.user], { stdio: 'ignore' });
    rmSync(this.folder, { recursive: true, force: true });
  }

  private listen(): Promise<string | undefined> {
    const path = sshdPath();
    const args = ['-D', '-e', '-f', join(this.folder, 'config')];
    const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.child = child;
    let said = '';
    return new Promise((resolve) => {
      child.once('error', (e) => resolve(e.message));
      child.once('exit', () => resolve(said || 'it ended'));
      child.stderr!.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        this.logged = (this.logged + text).slice(-200_000);
        this.accepted += text.match(/^Accepted (?:publickey|password)/gm)?.length ?? 0;
        if (/Server listening on/.test(text)) resolve(undefined);
      });
    });
  }

  private configure(): void {
    const own = (name: string) => join(this.folder, name);
    const lines = [
      `Port ${this.port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${own('host_key')}`,
      `AuthorizedKeysFile ${own('authorized_keys')}`,
      `PidFile ${own('pid')}`,
      'StrictModes no',
      'UsePAM no',
      'PermitRootLogin yes',
      'PubkeyAuthentication yes',
      `PasswordAuthentication ${this.options.passwordAccount ? 'yes' : 'no'}`,
      'KbdInteractiveAuthentication no',
      'UseDNS no',
      'PrintMotd no',
      'LogLevel VERBOSE',
      'MaxStartups 100',
      // Without it bash reads the machine's ~/.bashrc for every command, which may take long.
      'SetEnv SHLVL=2',
      'Subsystem sftp internal-sftp',
    ];
    // The first value of a keyword counts, so what the test wants goes first.
    writeFileSync(own('config'), `${[...(this.options.config ?? []), ...lines].join('\n')}\n`);
  }

  private makeKey(name: string): void {
    const file = join(this.folder, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', file]);
  }

  private makeAccount(): void {
    const user = `t${randomBytes(5).toString('hex')}`;
    const password = randomBytes(9).toString('base64url');
    execFileSync('useradd', ['-m', '-s', '/bin/sh', user], { stdio: 'ignore' });
    execFileSync('chpasswd', { input: `${user}:${password}\n` });
    this.account = { user, password };
  }
}

/** One server, or `count` of them, as hosts of their own. */
export function sshd(options?: SshdOptions): Promise<Sshd>;
export function sshd(options: SshdOptions & { count: number }): Promise<Sshd[]>;
export function sshd(options: SshdOptions & { count?: number } = {}): Promise<Sshd | Sshd[]> {
  const { count, ...rest } = options;
  if (count === undefined) return Sshd.start(rest);
  return Promise.all(Array.from({ length: count }, () => Sshd.start(rest)));
}

/** Where OpenSSH's server is; a missing one is one clear line. */
export function sshdPath(): string {
  const path = [
    '/usr/sbin/sshd',
    '/usr/local/sbin/sshd',
    '/sbin/sshd',
    '/opt/homebrew/sbin/sshd',
  ].find((p) => existsSync(p));
  if (!path) throw new Error('OpenSSH server is missing: install the package openssh-server');
  // Debian makes this at boot; in a container nobody does.
  if (process.getuid?.() === 0 && process.platform === 'linux') {
    mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  }
  return path;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone by itself
  }
}
