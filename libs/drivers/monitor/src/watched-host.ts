import { type Host, HostError, HostUnreachable, isHostError, isPassing } from '@libs/hosts';
import { ended, hostScript, type JobState, RUN_INPUT, touchChannel } from '@libs/schedulers';
import { Channel } from './channel';
import type { Tell, WatchedJob } from './news';
import type { MonitorOptions } from './options';

/** Ends of jobs that nobody has asked to watch yet are kept for a while: a short job is over before that. */
const KEPT_ENDS = 5_000;

interface Watched {
  job: WatchedJob;
  state: 'launching' | 'active';
  unseenSince?: number;
}

/** All jobs of one login on one host: one signal channel, and one question for all of them now and then. */
export class WatchedHost {
  private readonly jobs = new Map<string, Watched>();
  private readonly early = new Map<string, JobState & { kind: 'ended' }>();
  private readonly tells = new Set<string>();
  private channel?: Channel;
  private opening?: Promise<number>;
  private hears = false;
  private turn = 0;
  private failures = 0;
  private asking = false;
  private askAgain = false;
  private askTimer?: NodeJS.Timeout;
  private askAt = Infinity;
  private pause: number;
  private usedAt = Date.now();
  questions = 0;

  constructor(
    private readonly host: Host,
    private readonly options: MonitorOptions,
    private readonly tell: Tell,
  ) {
    this.pause = options.firstAskMs;
  }

  get size(): number {
    return this.jobs.size;
  }

  /** True when nobody has needed it for a while. */
  get idle(): boolean {
    return !this.jobs.size && !this.opening && Date.now() - this.usedAt > this.options.idleMs;
  }

  /** Opens the channel if need be; the answer, given to `watch`, proves since when ends are heard. */
  async ready(tells?: string): Promise<number> {
    this.usedAt = Date.now();
    if (tells && !this.tells.has(tells)) {
      this.tells.add(tells);
      // The open channel does not listen to it yet.
      if (this.channel || this.opening) await this.reopen();
    }
    if (this.channel) return this.turn;
    return this.open();
  }

  watch(job: WatchedJob, state: Watched['state'], since?: number): void {
    this.usedAt = Date.now();
    const heard = this.early.get(job.uuid);
    this.early.delete(job.uuid);
    if (heard) return this.tell(job.uuid, heard);
    this.jobs.set(job.uuid, { job, state });
    this.pause = this.options.firstAskMs;
    const sure = since !== undefined && since > 0 && since === this.turn && this.channel;
    if (sure && this.hears) return this.askIn(this.pause);
    // Coming back to many jobs at once is one question.
    void this.ready(job.watching.tells).then(
      () => this.askIn(sure ? this.pause : 50),
      (error: unknown) => this.failed(error),
    );
  }

  forget(uuid: string): void {
    this.jobs.delete(uuid);
    if (!this.jobs.size) this.usedAt = Date.now();
  }

  close(): void {
    clearTimeout(this.askTimer);
    this.askAt = Infinity;
    this.jobs.clear();
    this.drop();
  }

  private open(): Promise<number> {
    return (this.opening ??= this.connect().finally(() => (this.opening = undefined)));
  }

  private async reopen(): Promise<void> {
    await this.opening?.catch(() => undefined);
    this.drop();
  }

  private drop(): void {
    this.channel?.close();
    this.channel = undefined;
    this.hears = false;
  }

  private async connect(): Promise<number> {
    const turn = ++this.turn;
    const { listener, timeoutMs } = this.options;
    const tells = [...this.tells];
    const { channel, hears } = await Channel.open(this.host, listener, turn, tells, timeoutMs, {
      onEnd: ([uuid = '', code, at]) => this.ended(uuid, ended(code, at)),
      onGap: () => this.askIn(50),
      onClosed: () => {
        this.channel = undefined;
        this.hears = false;
        if (this.jobs.size) this.retry();
      },
    });
    this.channel = channel;
    this.hears = hears;
    this.failures = 0;
    // Jobs that were watched before may have ended while nobody listened.
    if (this.jobs.size) this.askIn(50);
    return turn;
  }

  /** Opens the channel again, and asks what was missed meanwhile. */
  private retry(): void {
    const wait = this.options.retryMs[this.failures];
    if (wait === undefined) return;
    setTimeout(() => {
      if (!this.jobs.size) return;
      this.ready().then(
        () => this.askIn(0),
        (error: unknown) => this.failed(error),
      );
    }, wait).unref();
  }

  private failed(error: unknown): void {
    this.failures++;
    const hopeful = isPassing(error) && this.failures < this.options.retryMs.length;
    if (hopeful) return this.retry();
    this.failures = 0;
    const why = isHostError(error) ? error : new HostUnreachable(this.host, String(error));
    this.away(why);
  }

  private away(error: HostError): void {
    this.drop();
    clearTimeout(this.askTimer);
    this.askAt = Infinity;
    const uuids = [...this.jobs.keys()];
    this.jobs.clear();
    for (const uuid of uuids) this.tell(uuid, { kind: 'away', error });
  }

  private ended(uuid: string, state: JobState & { kind: 'ended' }): void {
    if (this.jobs.delete(uuid)) return this.tell(uuid, state);
    this.early.set(uuid, state);
    if (this.early.size > KEPT_ENDS) this.early.delete(this.early.keys().next().value!);
  }

  private askIn(ms: number): void {
    const at = Date.now() + ms;
    if (at >= this.askAt) return;
    clearTimeout(this.askTimer);
    this.askAt = at;
    this.askTimer = setTimeout(() => {
      this.askAt = Infinity;
      void this.ask();
    }, ms).unref();
  }

  private async ask(): Promise<void> {
    if (!this.jobs.size) return;
    if (this.asking) {
      this.askAgain = true;
      return;
    }
    this.asking = true;
    try {
      await this.question();
      const { lastAskMs, lastDeafAskMs } = this.options;
      this.askIn(this.pause);
      this.pause = Math.min(this.pause * 2, this.hears ? lastAskMs : lastDeafAskMs);
    } catch (error) {
      this.failed(error);
    } finally {
      this.asking = false;
      if (this.askAgain) this.askIn(0);
      this.askAgain = false;
    }
  }

  private async question(): Promise<void> {
    const asked = [...this.jobs.values()];
    const kinds = Map.groupBy(asked, ({ job }) => job.watching.key);
    const texts = [...kinds.values()].map((of) =>
      hostScript(of[0]!.job.watching.ask(of.map(({ job }) => job))),
    );
    this.questions++;
    const { stdout } = await this.host.exec(RUN_INPUT, {
      raw: true,
      input: [...texts, hostScript(touchChannel(this.options.listener))].join('\n'),
      timeoutMs: this.options.timeoutMs,
      maxOutput: 1024 * 1024 + asked.length * 4096,
    });
    this.failures = 0;
    for (const of of kinds.values()) {
      const jobs = of.map(({ job }) => job);
      const states = jobs[0]!.watching.read(stdout, jobs);
      for (const watched of of) {
        const state = states.get(watched.job.uuid);
        this.seen(watched, state ?? { kind: 'unknown', why: 'the host said nothing about it' });
      }
    }
  }

  private seen(watched: Watched, state: JobState): void {
    const { uuid } = watched.job;
    // Ended, forgotten or watched anew while the question was on its way.
    if (this.jobs.get(uuid) !== watched) return;
    if (state.kind === 'unknown') {
      watched.unseenSince ??= Date.now();
      if (Date.now() - watched.unseenSince < this.options.unseenMs) return;
      this.jobs.delete(uuid);
      return this.tell(uuid, { kind: 'unseen', why: state.why });
    }
    watched.unseenSince = undefined;
    if (state.kind === 'active' || state.kind === 'launching') {
      if (state.kind === watched.state) return;
      watched.state = state.kind;
    } else this.jobs.delete(uuid);
    this.tell(uuid, state);
  }
}
