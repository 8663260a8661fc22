import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestHost } from '@libs/flows';

const run = promisify(execFile);

/** OpenSSH's own commands as somebody at a terminal would use them. */
export class OpenSsh {
  private readonly folder = mkdtempSync(join(tmpdir(), 'bench-ssh-'));
  private readonly key = join(this.folder, 'key');
  readonly socket = join(this.folder, 'master');

  constructor(readonly host: TestHost) {
    writeFileSync(this.key, host.server.privateKey, { mode: 0o600 });
  }

  /** Options every command needs: the key, no questions, no memory of hosts. */
  options(): string[] {
    return [
      ...['-i', this.key, '-F', 'none'],
      ...[
        '-o',
        'StrictHostKeyChecking=no',
        '-o',
        `UserKnownHostsFile=${join(this.folder, 'known')}`,
      ],
      ...['-o', 'LogLevel=ERROR', '-o', 'IdentitiesOnly=yes'],
    ];
  }

  /** For `ssh` and `scp` over the one open connection. */
  shared(): string[] {
    return [...this.options(), '-o', `ControlPath=${this.socket}`];
  }

  async connect(): Promise<void> {
    const { port, user } = this.host.server;
    // -f: returns when the connection stands
    const args = [...this.shared(), '-M', '-N', '-f', '-p', String(port), `${user}@127.0.0.1`];
    await new Promise<void>((done, failed) => {
      spawn('ssh', args, { stdio: 'ignore' })
        .once('error', failed)
        .once('exit', (code) => (code ? failed(new Error(`ssh -M ended with ${code}`)) : done()));
    });
  }

  async disconnect(): Promise<void> {
    await run('ssh', [...this.shared(), '-O', 'exit', 'x']).catch(() => undefined);
  }

  async ssh(command: string): Promise<string> {
    const { port, user } = this.host.server;
    const args = [...this.shared(), '-p', String(port), `${user}@127.0.0.1`, command];
    return (await run('ssh', args)).stdout;
  }

  /** `scp` over the open connection; remote names are written `host:path`. */
  async scp(...files: string[]): Promise<void> {
    await run('scp', [...this.shared(), '-q', '-P', String(this.host.server.port), ...files]);
  }

  remote(path: string): string {
    return `${this.host.server.user}@127.0.0.1:${path}`;
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** `scp -3`: from one host to another through this machine, each with its own port. */
export async function scp3(
  from: OpenSsh,
  source: string,
  to: OpenSsh,
  target: string,
  recursive = false,
) {
  const uri = (ssh: OpenSsh, path: string) =>
    `scp://${ssh.host.server.user}@127.0.0.1:${ssh.host.server.port}/${path}`;
  const keys = [...from.options(), ...to.options().slice(0, 2)];
  await run('scp', [
    '-3',
    '-q',
    ...(recursive ? ['-r'] : []),
    ...keys,
    uri(from, source),
    uri(to, target),
  ]);
}
