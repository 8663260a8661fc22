import { Host } from './host';
import { type HostLogin, laneKey } from './host-login';
import { Lane } from './lane';

export interface HostPoolOptions {
  /** Connections to one host with one login. */
  maxConnectionsPerHost: number;
  /** Sessions at once on one connection; OpenSSH's own limit is 10. */
  channelsPerConnection: number;
  /** A connection that nobody used for so long is closed. */
  idleMs: number;
  connectTimeoutMs: number;
  /** How often a silent connection is asked whether it lives; three misses end it. */
  keepAliveMs: number;
  /** How long a caller waits for a free session. */
  queueTimeoutMs: number;
}

const DEFAULTS: HostPoolOptions = {
  maxConnectionsPerHost: 4,
  channelsPerConnection: 8,
  idleMs: 60_000,
  connectTimeoutMs: 10_000,
  keepAliveMs: 15_000,
  queueTimeoutMs: 300_000,
};

/** Logins remembered without an open connection. */
const MAX_LANES = 500;

/** SSH connections by host, port, login and credential. Full means waiting, not failing. One per process. */
export class HostPool {
  private readonly options: HostPoolOptions;
  private readonly lanes = new Map<string, Lane>();
  private opened = 0;

  constructor(options: Partial<HostPoolOptions> = {}) {
    this.options = { ...DEFAULTS, ...options };
  }

  /** A host as this login sees it. Costs nothing; connections are made when something is asked. */
  host(login: HostLogin): Host {
    return new Host(login, () => this.lane(laneKey(login)));
  }

  /** What is open now, and how many connections were ever opened. */
  stats(): { connections: number; opened: number; busy: number; queued: number } {
    const sum = { connections: 0, opened: this.opened, busy: 0, queued: 0 };
    for (const lane of this.lanes.values()) {
      sum.connections += lane.connections.length;
      sum.opened += lane.opened;
      sum.queued += lane.queued;
      for (const c of lane.connections) sum.busy += c.busy;
    }
    return sum;
  }

  /** Ends every connection; commands on them fail. The pool may be used again afterwards. */
  close(): Promise<void> {
    for (const lane of this.lanes.values()) {
      this.opened += lane.opened;
      lane.close();
    }
    this.lanes.clear();
    return Promise.resolve();
  }

  private lane(key: string): Lane {
    let lane = this.lanes.get(key);
    if (!lane && this.lanes.size >= MAX_LANES) this.forgetEmpty();
    if (!lane) this.lanes.set(key, (lane = new Lane(this.options)));
    return lane;
  }

  private forgetEmpty(): void {
    for (const [key, lane] of this.lanes) {
      if (lane.connections.length || lane.active || lane.queued) continue;
      this.opened += lane.opened;
      this.lanes.delete(key);
    }
  }
}
