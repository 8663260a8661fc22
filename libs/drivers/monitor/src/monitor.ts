import type { HostLogin, HostPool } from '@libs/hosts';
import { createHash } from 'node:crypto';
import type { Tell, WatchedJob } from './news';
import { DEFAULTS, type MonitorOptions } from './options';
import { WatchedHost } from './watched-host';

/**
 * Watches running jobs on their hosts. An end is heard within milliseconds over one held channel per login; a question
 * about all jobs of that login together is the net below. Costs per login, not per job.
 */
export class Monitor {
  private readonly options: MonitorOptions;
  private readonly hosts = new Map<string, WatchedHost>();
  private readonly hostOf = new Map<string, WatchedHost>();
  private readonly sweep: NodeJS.Timeout;
  private asked = 0;

  constructor(
    private readonly pool: Pick<HostPool, 'host'>,
    options: Partial<MonitorOptions> & Pick<MonitorOptions, 'listener'>,
    private readonly tell: Tell,
  ) {
    this.options = { ...DEFAULTS, ...options };
    if (!/^[\w-]+$/.test(this.options.listener))
      throw new TypeError(`${this.options.listener} is no name of a listener`);
    this.sweep = setInterval(() => this.letGo(), Math.max(100, this.options.idleMs / 2)).unref();
  }

  /**
   * Resolves once ends on this host are heard. Handed to `watch`, the answer says since when: so a job that is
   * launched after it needs no question, however short it is.
   */
  ready(login: HostLogin, tells?: string): Promise<number> {
    return this.at(login).ready(tells);
  }

  /** Watches a job until its end is told, its host is away, or it is forgotten. */
  watch(
    login: HostLogin,
    job: WatchedJob,
    known: { state?: 'launching' | 'active'; since?: number } = {},
  ): void {
    this.forget(job.uuid);
    const host = this.at(login);
    this.hostOf.set(job.uuid, host);
    host.watch(job, known.state ?? 'active', known.since);
  }

  forget(uuid: string): void {
    this.hostOf.get(uuid)?.forget(uuid);
    this.hostOf.delete(uuid);
  }

  watches(uuid: string): boolean {
    return this.hostOf.has(uuid);
  }

  /** How much there is to watch, and how many questions that has cost so far. */
  stats(): { hosts: number; jobs: number; questions: number } {
    const hosts = [...this.hosts.values()];
    return {
      hosts: hosts.length,
      jobs: this.hostOf.size,
      questions: hosts.reduce((sum, h) => sum + h.questions, this.asked),
    };
  }

  close(): void {
    clearInterval(this.sweep);
    for (const host of this.hosts.values()) host.close();
    this.hosts.clear();
    this.hostOf.clear();
  }

  private at(login: HostLogin): WatchedHost {
    const auth = createHash('sha256').update(JSON.stringify(login.auth)).digest('base64');
    const key = `${login.user}@${login.host}:${login.port} ${auth} ${login.hostKeys?.join() ?? ''}`;
    let host = this.hosts.get(key);
    if (!host) {
      const told: Tell = (uuid, news) => {
        if (news.kind !== 'active' && news.kind !== 'launching') this.hostOf.delete(uuid);
        this.tell(uuid, news);
      };
      host = new WatchedHost(this.pool.host(login), this.options, told);
      this.hosts.set(key, host);
    }
    return host;
  }

  private letGo(): void {
    for (const [key, host] of this.hosts) {
      if (!host.idle) continue;
      this.asked += host.questions;
      host.close();
      this.hosts.delete(key);
    }
  }
}
