import { JOB_STATES } from '@libs/jobs-model';
import type { Job, JobEventRow, JobsStore } from '@libs/jobs-store';
import { eventData } from '../domain/history-entry';

/** The history is read again after this long, should no message say that something happened. */
const NET_MS = 5_000;
const PAGE = 1_000;

/**
 * One client that follows a job: an endless text of server-sent events, in the order of the history, that ends
 * with the job. Messages only wake it; what it tells comes from the database.
 */
export class JobFollower implements AsyncIterable<string> {
  private readonly extras: string[] = [];
  private woken = false;
  private ended = false;
  private wakeUp?: () => void;

  constructor(
    private readonly store: JobsStore,
    private job: Job,
    private last: number,
    private readonly whenDone: () => void,
  ) {}

  /** Something may have happened. */
  wake(): void {
    this.woken = true;
    this.wakeUp?.();
  }

  /** Whether the job runs as that user. */
  isOf(tenant: string, user: string): boolean {
    return this.job.tenant === tenant && this.job.owner === user;
  }

  /** An event that is not kept, so it carries no id. */
  tell(event: string, data: object): void {
    this.extras.push(text(event, data));
    this.wake();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      yield 'retry: 1000\n\n';
      while (!this.ended) {
        this.woken = false;
        const hadEnded = JOB_STATES.isTerminal(this.job.status);
        const news = await this.news();
        for (const entry of news) {
          yield this.entry(entry);
          if (entry.event === 'JOB_NEW_STATUS' && JOB_STATES.isTerminal(entry.eventDetail)) return;
        }
        // what came after the end (shares, for instance) is told; nobody waits for more of it
        if (hadEnded && news.length < PAGE) return;
        yield* this.extras.splice(0);
        if (!(await this.somethingNew())) yield ': still here\n\n';
      }
    } finally {
      this.whenDone();
    }
  }

  private async news(): Promise<JobEventRow[]> {
    const { tenant, uuid } = this.job;
    const entries = await this.store.history(tenant, uuid, { after: this.last, limit: PAGE });
    if (entries.some((e) => JOB_STATES.isTerminal(e.eventDetail))) {
      this.job = (await this.store.find(tenant, uuid)) ?? this.job;
    }
    return entries;
  }

  private entry(entry: JobEventRow): string {
    this.last = entry.id;
    const { event, eventDetail, created } = entry;
    const data = { event, eventDetail, created, ...eventData(entry, { ...this.job }) };
    return text(event, data, entry.id);
  }

  /** False when it only got late. */
  private async somethingNew(): Promise<boolean> {
    if (this.woken || this.ended) return true;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wakeUp = resolve;
      timer = setTimeout(resolve, NET_MS).unref();
    });
    clearTimeout(timer);
    this.wakeUp = undefined;
    return this.woken;
  }
}

const text = (event: string, data: object, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
