import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Client, type ClientChannel, type ConnectConfig, type SFTPWrapper } from 'ssh2';
import {
  HostError,
  HostKeyChanged,
  HostTimeout,
  HostUnreachable,
  isHostError,
  LoginRefused,
} from './host-errors';
import { fingerprintOf, type HostLogin, isPinned } from './host-login';
import type { HostPoolOptions } from './host-pool';
import { Sftp } from './sftp';

/** The server has no room for one more session on this connection; nothing was run. */
export class SessionRefused extends Error {}

export interface Running {
  channel: ClientChannel;
  exit?: { code: number | null; signal: string | null };
}

/** One authenticated SSH connection. Counts its own channels; the lane decides who gets them. */
export class Connection extends EventEmitter<{ lost: [HostError] }> {
  busy = 0;
  /** Open SFTP sessions that nobody uses at the moment. */
  readonly spares: Sftp[] = [];
  /** No new channels; ends when the last one is given back. */
  retired = false;
  lostBy?: HostError;
  idleSince = 0;

  private constructor(
    private readonly client: Client,
    private readonly login: HostLogin,
    readonly fingerprint: string,
  ) {
    super();
    this.setMaxListeners(0);
    client.on('error', (e) => this.lose(e.message));
    client.on('close', () => this.lose('the connection was closed'));
  }

  /** Connects, checks the host key and logs in. */
  static async connect(login: HostLogin, options: HostPoolOptions): Promise<Connection> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await Connection.attempt(login, options);
      } catch (error) {
        // A server at its MaxStartups cuts connections before the greeting; that passes within moments.
        if (attempt >= 4 || !(error instanceof CutBeforeLogin)) throw error;
        await new Promise((r) => setTimeout(r, attempt * 100 * (1 + Math.random())));
      }
    }
  }

  private static async attempt(login: HostLogin, options: HostPoolOptions): Promise<Connection> {
    const client = new Client();
    let fingerprint = '';
    let refused: HostError | undefined;
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve);
      client.on('error', (e) => reject(refused ?? connectError(login, e, fingerprint !== '')));
      client.once('close', () =>
        reject(new CutBeforeLogin(login, 'the host closed the connection')),
      );
      if ('password' in login.auth) {
        const { password } = login.auth;
        client.on('keyboard-interactive', (_name, _text, _lang, prompts, finish) =>
          finish(prompts.map(() => password)),
        );
      }
      try {
        client.connect({
          ...authOf(login),
          host: login.host,
          port: login.port,
          username: login.user,
          readyTimeout: options.connectTimeoutMs,
          keepaliveInterval: options.keepAliveMs,
          keepaliveCountMax: 3,
          algorithms: {
            cipher: { prepend: ['aes128-gcm@openssh.com'], append: [], remove: [] },
          },
          hostVerifier: (key: Buffer) => {
            fingerprint = fingerprintOf(key);
            if (isPinned(login, fingerprint)) return true;
            refused = new HostKeyChanged(login, login.hostKeys!, fingerprint);
            return false;
          },
        });
        // Nagle's algorithm costs 40 ms per small question and answer.
        client.setNoDelay(true);
        gatherWrites(client);
      } catch (error) {
        reject(
          new LoginRefused(login, `the credential cannot be used: ${(error as Error).message}`),
        );
      }
    }).catch((error) => {
      client.on('error', () => undefined);
      client.destroy();
      throw error;
    });
    client.removeAllListeners('error').removeAllListeners('close');
    const connection = new Connection(client, login, fingerprint);
    if (!login.hostKeys?.length && login.onHostKey) {
      try {
        await login.onHostKey(fingerprint);
      } catch (error) {
        connection.end();
        throw error;
      }
    }
    return connection;
  }

  get open(): boolean {
    return !this.lostBy;
  }

  exec(command: string): Promise<Running> {
    return this.opening((done) =>
      this.client.exec(command, (error, channel) => {
        if (error) return done(error, undefined as never);
        const running: Running = { channel };
        // Start and end of a short command arrive in one packet: whoever waits a tick has missed the end.
        channel.on('exit', (code: number | null, signal?: string) => {
          running.exit = { code, signal: signal ?? null };
        });
        done(undefined, running);
      }),
    );
  }

  async sftp(): Promise<Sftp> {
    const wrapper = await this.opening<SFTPWrapper>((done) => this.client.sftp(done));
    return new Sftp(wrapper, this.login);
  }

  /** Ends the connection and everything on it. */
  end(reason = 'the connection was closed by us'): void {
    this.lose(reason);
    this.client.end();
    // A peer that is gone never answers the goodbye.
    setTimeout(() => this.client.destroy(), 2_000).unref();
  }

  private opening<T>(start: (done: (error: Error | undefined, channel: T) => void) => unknown) {
    return new Promise<T>((resolve, reject) => {
      if (this.lostBy) return reject(this.lostBy);
      const onLost = (error: HostError) => reject(error);
      this.once('lost', onLost);
      const done = (error: Error | undefined, channel: T) => {
        this.off('lost', onLost);
        if (!error) resolve(channel);
        else reject(this.openError(error));
      };
      try {
        start(done);
      } catch (error) {
        done(error as Error, undefined as T);
      }
    });
  }

  private openError(error: Error): Error {
    if (this.lostBy) return this.lostBy;
    if (/Channel open failure|Unable to open/i.test(error.message)) {
      return new SessionRefused(error.message);
    }
    if (/Not connected/.test(error.message)) this.lose(error.message);
    return new HostUnreachable(this.login, error.message, { cause: error });
  }

  private lose(reason: string): void {
    if (this.lostBy) return;
    this.lostBy = new HostUnreachable(this.login, `connection lost: ${reason}`);
    this.spares.length = 0;
    this.emit('lost', this.lostBy);
  }
}

class CutBeforeLogin extends HostUnreachable {}

function authOf(login: HostLogin): Partial<ConnectConfig> {
  if ('password' in login.auth) return { password: login.auth.password, tryKeyboard: true };
  return {
    // Keys come through forms and JSON: line ends and the last newline are often lost.
    privateKey: `${login.auth.privateKey.replaceAll('\r\n', '\n').trim()}\n`,
    passphrase: login.auth.passphrase,
  };
}

function connectError(
  login: HostLogin,
  error: Error & { level?: string; code?: string },
  greeted: boolean,
): HostError {
  if (isHostError(error)) return error;
  const text = error.message;
  if (error.level === 'client-authentication') {
    return new LoginRefused(login, 'the host refused the credential');
  }
  if (error.level === 'client-timeout' || error.code === 'ETIMEDOUT') {
    return new HostTimeout(login, 'the host did not answer in time', { cause: error });
  }
  if (!greeted && (error.code === 'ECONNRESET' || /before handshake/i.test(text))) {
    return new CutBeforeLogin(login, text, { cause: error });
  }
  return new HostUnreachable(login, text || error.code || 'no connection', { cause: error });
}

/**
 * The library writes each packet in three pieces, and without Nagle's algorithm each piece is a system call and a
 * segment of its own. What is written in one turn goes out together.
 */
function gatherWrites(client: Client): void {
  const socket = (client as unknown as { _sock?: Socket })._sock;
  if (!socket) return;
  const write = socket.write.bind(socket) as (data: Buffer) => boolean;
  let corked = false;
  const uncork = () => {
    corked = false;
    socket.uncork();
  };
  socket.write = ((data: Buffer) => {
    if (!corked) {
      corked = true;
      socket.cork();
      process.nextTick(uncork);
    }
    return write(data);
  }) as Socket['write'];
}
