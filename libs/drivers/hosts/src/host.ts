import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientChannel } from 'ssh2';
import { abandon } from './abandon';
import {
  CommandFailed,
  type HostError,
  HostTimeout,
  type HostPlace,
  isHostError,
} from './host-errors';
import type { Running } from './connection';
import type { HostLogin } from './host-login';
import type { Lane, Lease } from './lane';
import { quote } from './quote';
import type { Sftp } from './sftp';

export interface ExecOptions {
  /** Default 60 s; then the command is killed and `HostTimeout` thrown. */
  timeoutMs?: number;
  /** Bytes of stdout and stderr together, default 1 MiB; more ends the command with `CommandFailed`. */
  maxOutput?: number;
  input?: string | Buffer | Readable;
  /** Hand the command to the login shell as it is. Otherwise a POSIX `sh` runs it, whatever the login shell. */
  raw?: boolean;
  /** Throw `CommandFailed` (with stderr) for a code other than 0. */
  check?: boolean;
}

export interface ExecResult {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** A running command. `done` settles when it has ended; the last 64 KiB of stderr are kept for its message. */
export interface RemoteCommand {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  done: Promise<{ code: number | null; signal: string | null; stderr: string }>;
  /** Kills the command and gives the channel back. */
  kill(): void;
}

export interface SftpLease {
  sftp: Sftp;
  /** Give the session back; false when an operation was left unfinished on it. */
  release(healthy?: boolean): void;
}

const STDERR_KEPT = 64 * 1024;

/** One host as one login sees it. Every call takes a session from the pool and waits for one when all are busy. */
export class Host implements HostPlace {
  readonly host: string;
  readonly port: number;
  readonly user: string;

  constructor(
    private readonly login: HostLogin,
    private readonly lane: () => Lane,
  ) {
    this.host = login.host;
    this.port = login.port;
    this.user = login.user;
  }

  /** Opens a connection if there is none; fails as any other call would. */
  async check(): Promise<void> {
    const lease = await this.lane()
      .leaseSftp(this.login)
      .catch((error) => {
        // A host without SFTP is still a host.
        if (isHostError(error, 'unreachable') && /SFTP|subsystem/i.test(error.message))
          return undefined;
        throw error;
      });
    lease?.release();
  }

  /** Runs a command to its end. A code other than 0 is a result, not an error, unless `check`. */
  async exec(command: string, options: ExecOptions = {}): Promise<ExecResult> {
    const { timeoutMs = 60_000, maxOutput = 1024 * 1024, input } = options;
    const lease = await this.open(command, options.raw);
    const { channel } = lease.channel;
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let size = 0;
    // The caller is told at once; the session is free only when the host has closed it.
    const stopped = Promise.withResolvers<never>();
    const stop = (error: HostError) => {
      stopped.reject(error);
      abandon(channel);
    };
    const timer = setTimeout(
      () => stop(new HostTimeout(this.login, `the command did not end within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const take = (into: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutput) {
        stop(new CommandFailed(this.login, `the command wrote more than ${maxOutput} bytes`));
      } else into.push(chunk);
    };
    channel.on('data', take(out));
    channel.stderr.on('data', take(err));
    feed(channel, input);
    try {
      const end = await Promise.race([this.ended(lease), stopped.promise]);
      const result = {
        ...end,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      };
      if (options.check && result.code !== 0)
        throw this.failure(result.code, result.signal, result.stderr);
      return result;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Starts a command whose input and output are streams. */
  async stream(command: string, options: { raw?: boolean } = {}): Promise<RemoteCommand> {
    const lease = await this.open(command, options.raw);
    const { channel } = lease.channel;
    let stderr = '';
    channel.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-STDERR_KEPT);
    });
    // Errors arrive through `done`; a stream without a listener would end the process.
    channel.on('error', () => undefined);
    // A pipeline that breaks destroys its streams: that ends the command as `kill` does.
    channel.destroy = () => {
      channel.end();
      // After the end of its output a command only has its exit code to tell.
      if (!channel.readableEnded) abandon(channel);
      return channel;
    };
    const done = this.ended(lease).then((end) => ({ ...end, stderr }));
    done.catch(() => undefined);
    return {
      stdin: channel,
      stdout: channel,
      stderr: channel.stderr,
      done,
      kill: () => abandon(channel),
    };
  }

  /** Runs `work` with an SFTP session of its own for that time. */
  async sftp<T>(work: (sftp: Sftp) => Promise<T>): Promise<T> {
    const { sftp, release } = await this.leaseSftp();
    try {
      return await work(sftp);
    } finally {
      release();
    }
  }

  /** An SFTP session for work that outlives one call (streams). */
  async leaseSftp(): Promise<SftpLease> {
    const { channel, release } = await this.lane().leaseSftp(this.login);
    return { sftp: channel, release };
  }

  /** The login with the key that the host has shown pinned: for a connection made elsewhere. */
  async pinnedLogin(): Promise<Omit<HostLogin, 'onHostKey'>> {
    const { connection, release } = await this.lane().leaseSftp(this.login);
    release();
    const { host, port, user, auth } = this.login;
    return { host, port, user, auth, hostKeys: [connection.fingerprint] };
  }

  /** A whole small file; refuses more than `max` bytes (default 1 MiB). */
  readFile(path: string, max = 1024 * 1024): Promise<Buffer> {
    return this.sftp(async (sftp) => {
      const parts: Buffer[] = [];
      let size = 0;
      for await (const part of sftp.reader(path, { end: max + 1 })) {
        parts.push(part as Buffer);
        size += (part as Buffer).length;
      }
      if (size > max) throw new CommandFailed(this.login, `${path} is larger than ${max} bytes`);
      return Buffer.concat(parts);
    });
  }

  /** Writes a whole small file in one go, with this mode from the start. */
  writeFile(path: string, data: string | Buffer, mode?: number): Promise<void> {
    return this.sftp(async (sftp) => {
      await pipeline([Buffer.from(data)], sftp.writer(path, { mode }));
      if (mode !== undefined) await sftp.chmod(path, mode);
    });
  }

  /** Value of a variable in the login's environment; empty when it is not set anywhere. */
  async variable(name: string): Promise<string> {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name))
      throw new TypeError(`${name} is no variable name`);
    // Sites set variables in profiles that only a login shell reads; what those say comes before the last line.
    const line = `printf '\\n%s' "\${${name}}"`;
    const asked = `"\${SHELL:-/bin/sh}" -lc ${quote(line)} 2>/dev/null </dev/null | tail -n 1`;
    const command = `v="\${${name}}"; [ -n "$v" ] || v=$(${asked}); printf '\\n%s' "$v"`;
    const { stdout } = await this.exec(command, { timeoutMs: 20_000 });
    return stdout.slice(stdout.lastIndexOf('\n') + 1).trim();
  }

  private open(command: string, raw = false): Promise<Lease<Running>> {
    const line = raw ? command : `exec /bin/sh -c ${quote(command)}`;
    return this.lane().lease(this.login, (connection) => connection.exec(line));
  }

  private ended({ connection, channel: running, release }: Lease<Running>) {
    const { promise, resolve, reject } = Promise.withResolvers<{
      code: number | null;
      signal: string | null;
    }>();
    const finish = () => {
      connection.off('lost', finish);
      release();
      if (running.exit) resolve(running.exit);
      else {
        const text = 'the command ended without an exit code';
        reject(connection.lostBy ?? new CommandFailed(this.login, text));
      }
    };
    connection.once('lost', finish);
    running.channel.once('close', finish);
    promise.catch(() => undefined);
    return promise;
  }

  private failure(code: number | null, signal: string | null, stderr: string): CommandFailed {
    const how = code === null ? `was ended by signal ${signal}` : `ended with code ${code}`;
    return new CommandFailed(
      this.login,
      `the command ${how}: ${stderr.trim().slice(0, 500)}`,
      code,
      stderr,
    );
  }
}

function feed(channel: ClientChannel, input: ExecOptions['input']): void {
  channel.on('error', () => undefined);
  if (input === undefined || typeof input === 'string' || Buffer.isBuffer(input))
    channel.end(input);
  else void pipeline(input, channel).catch(() => undefined);
}
