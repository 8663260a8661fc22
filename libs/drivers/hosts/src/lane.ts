import { Connection, SessionRefused } from './connection';
import { type HostError, HostKeyChanged, HostTimeout, HostUnreachable } from './host-errors';
import { type HostLogin, isPinned } from './host-login';
import type { HostPoolOptions } from './host-pool';
import type { Sftp } from './sftp';

/** Open SFTP sessions kept for the next caller, per connection, beside the channels in use. */
const SPARES = 2;
/** How long a session limit learned from a refusal is believed. */
const LEARNED_MS = 60_000;

const ALONE_TRIES = 15;

interface Waiter {
  login: HostLogin;
  resolve: (connection: Connection) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** A channel somebody uses; `release` must be called once, after the channel has closed. */
export interface Lease<T> {
  connection: Connection;
  channel: T;
  release: () => void;
}

/** The connections of one login and the queue for their channels. */
export class Lane {
  readonly connections: Connection[] = [];
  private connecting = 0;
  private readonly waiting: Waiter[] = [];
  private learned = Infinity;
  private learnedAt = 0;
  private noConnectUntil = 0;
  private sweep?: NodeJS.Timeout;
  private later?: NodeJS.Timeout;
  opened = 0;

  constructor(private readonly options: HostPoolOptions) {}

  /** True while a connection is being made. */
  get active(): boolean {
    return this.connecting > 0;
  }

  get queued(): number {
    return this.waiting.length;
  }

  /** Opens a channel as soon as there is room, here and on the server. */
  async lease<T>(login: HostLogin, open: (c: Connection) => Promise<T>): Promise<Lease<T>> {
    const until = Date.now() + this.options.queueTimeoutMs;
    for (let refusals = 0, again = false; ;) {
      const connection = await this.acquire(login, until, again);
      try {
        return { connection, channel: await open(connection), release: this.releaser(connection) };
      } catch (error) {
        if (error instanceof SessionRefused) {
          const alone = connection.busy === 1 && !connection.spares.length;
          if (!alone) this.learn(connection);
          this.release(connection);
          if (alone && ++refusals > ALONE_TRIES) {
            throw new HostUnreachable(login, 'the host accepts the login but opens no session');
          }
          // A server frees a session some moments after it has closed the channel.
          if (alone) await new Promise((r) => setTimeout(r, 10 * refusals));
          again = true;
          continue;
        }
        this.release(connection);
        throw error;
      }
    }
  }

  /** An SFTP session, reused when one is spare. `release(false)` when it may not be used again. */
  async leaseSftp(
    login: HostLogin,
  ): Promise<Lease<Sftp> & { release: (healthy?: boolean) => void }> {
    for (;;) {
      const reused = this.connections.find((c) => this.usable(c, login) && c.spares.length > 0);
      const lease = reused
        ? this.takeSpare(reused)
        : await this.lease(login, async (c) => c.spares.pop() ?? (await c.sftp()));
      if (lease.channel.closed) {
        lease.release();
        continue;
      }
      const { connection, channel } = lease;
      return {
        ...lease,
        release: (healthy = true) => {
          const keep = healthy && !channel.closed && connection.open && !connection.retired;
          if (keep && connection.spares.length < SPARES) {
            connection.spares.push(channel);
            lease.release();
          } else {
            void channel.end().then(lease.release);
          }
        },
      };
    }
  }

  close(): void {
    clearInterval(this.sweep);
    this.sweep = undefined;
    for (const connection of [...this.connections]) connection.end();
    for (const waiter of this.waiting.splice(0)) {
      this.settle(waiter).reject(new HostUnreachable(waiter.login, 'the pool is closed'));
    }
  }

  private takeSpare(connection: Connection): Lease<Sftp> {
    connection.busy++;
    const channel = connection.spares.pop()!;
    return { connection, channel, release: this.releaser(connection) };
  }

  private acquire(login: HostLogin, until: number, first: boolean): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        reject(new HostTimeout(login, 'no session became free in time'));
      }, until - Date.now());
      const waiter: Waiter = { login, resolve, reject, timer };
      if (first) this.waiting.unshift(waiter);
      else this.waiting.push(waiter);
      this.pump();
    });
  }

  private settle(waiter: Waiter): Waiter {
    clearTimeout(waiter.timer);
    return waiter;
  }

  /** Gives waiting callers what is free, and connects while callers remain and connections may be added. */
  private pump(): void {
    for (let i = 0; i < this.waiting.length;) {
      const waiter = this.waiting[i]!;
      const connection = this.connections.find((c) => this.hasRoom(c, waiter.login));
      if (!connection) {
        i++;
        continue;
      }
      this.waiting.splice(i, 1);
      connection.busy++;
      this.settle(waiter).resolve(connection);
    }
    const head = this.waiting[0];
    if (!head) return;
    for (const c of this.connections) this.trimSpares(c);
    const room = this.options.maxConnectionsPerHost - this.connections.length - this.connecting;
    const per = Math.min(this.options.channelsPerConnection, this.limit());
    const wanted = Math.ceil(this.waiting.length / per) - this.connecting;
    const allowed = this.connections.length === 0 || Date.now() >= this.noConnectUntil;
    if (!allowed) this.pumpAt(this.noConnectUntil);
    else for (let n = Math.min(room, wanted); n > 0; n--) void this.connect(head.login);
  }

  private pumpAt(time: number): void {
    this.later ??= setTimeout(() => {
      this.later = undefined;
      this.pump();
    }, time - Date.now()).unref();
  }

  private async connect(login: HostLogin): Promise<void> {
    this.connecting++;
    try {
      const connection = await Connection.connect(login, this.options);
      this.opened++;
      if (connection.open) this.add(connection);
    } catch (error) {
      this.noConnectUntil = Date.now() + 1_000;
      // With a live connection the waiters can be served by it; without one they would wait in vain.
      if (this.connections.some((c) => this.usable(c, login))) return;
      const hopeless =
        error instanceof HostKeyChanged
          ? (w: Waiter) => !isPinned(w.login, error.shown)
          : () => true;
      for (const waiter of this.waiting.filter(hopeless)) {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        this.settle(waiter).reject(error as HostError);
      }
    } finally {
      this.connecting--;
      this.pump();
    }
  }

  private add(connection: Connection): void {
    this.connections.push(connection);
    connection.idleSince = Date.now();
    connection.once('lost', () => {
      this.connections.splice(this.connections.indexOf(connection), 1);
      if (!this.connections.length) {
        clearInterval(this.sweep);
        this.sweep = undefined;
      }
      this.pump();
    });
    this.sweep ??= setInterval(
      () => this.closeIdle(),
      Math.max(50, this.options.idleMs / 4),
    ).unref();
  }

  private closeIdle(): void {
    for (const connection of [...this.connections]) {
      if (connection.busy === 0 && Date.now() - connection.idleSince >= this.options.idleMs) {
        connection.end('idle');
      }
    }
  }

  /** A connection whose key is not among the caller's pins takes no new work: the pin was changed. */
  private usable(connection: Connection, login: HostLogin): boolean {
    if (connection.open && !connection.retired && !isPinned(login, connection.fingerprint)) {
      connection.retired = true;
      if (connection.busy === 0) connection.end('its host key is no longer pinned');
    }
    return connection.open && !connection.retired;
  }

  private hasRoom(connection: Connection, login: HostLogin): boolean {
    return (
      this.usable(connection, login) &&
      connection.busy < this.options.channelsPerConnection &&
      connection.busy + connection.spares.length < this.limit()
    );
  }

  private limit(): number {
    if (Date.now() - this.learnedAt > LEARNED_MS) this.learned = Infinity;
    return Math.min(this.learned, this.options.channelsPerConnection + SPARES);
  }

  private learn(connection: Connection): void {
    const had = connection.busy - 1 + connection.spares.length;
    this.learned = Math.max(1, Math.min(this.limit(), had));
    this.learnedAt = Date.now();
    this.trimSpares(connection);
  }

  /** Spare SFTP sessions give way when they take the room that a caller waits for. */
  private trimSpares(connection: Connection): void {
    if (!connection.spares.length || connection.busy >= this.options.channelsPerConnection) return;
    if (connection.busy + connection.spares.length < this.limit()) return;
    void connection.spares
      .pop()!
      .end()
      .then(() => this.pump());
  }

  private releaser(connection: Connection): () => void {
    let done = false;
    return () => {
      if (!done) this.release(connection);
      done = true;
    };
  }

  private release(connection: Connection): void {
    connection.busy--;
    if (connection.busy === 0) {
      connection.idleSince = Date.now();
      if (connection.retired) connection.end();
    }
    this.pump();
  }
}
