import { setTimeout as pause } from 'node:timers/promises';

/** A person who pressed Ctrl-C waits five seconds, some of which may pass before it is heard. */
const PATIENCE_MS = 3500;
/** How long dying may take for what is ended by force. */
const DYING_MS = 700;

interface Closer {
  close: () => unknown;
  /** Ends it at once, whatever is lost. */
  force?: () => unknown;
  closed?: boolean;
}

/** Closes what was opened, last first; what is not closed in time is ended by force, so nothing stays behind. */
export class Shutdown {
  private readonly closers: Closer[] = [];
  private readonly asked = new AbortController();
  private running?: Promise<void>;

  constructor(private readonly patience = PATIENCE_MS) {}

  /** For what is still starting: fires when the end is asked for. */
  get signal(): AbortSignal {
    return this.asked.signal;
  }

  add(close: () => unknown, force?: () => unknown): void {
    this.closers.push({ close, force });
  }

  /** True once it was asked for: what fails from then on is no news. */
  get begun(): boolean {
    return this.running !== undefined;
  }

  /** Safe to call twice; a closer that fails does not keep the others from running. */
  run(patience = this.patience): Promise<void> {
    if (this.running) return this.running;
    this.running = this.closeInTime(patience);
    this.asked.abort();
    return this.running;
  }

  private async closeInTime(patience: number): Promise<void> {
    await within(patience, this.closeAll());
    const forced = this.closers
      .filter(({ closed }) => !closed)
      // what fails has ended meanwhile
      .map(async ({ force }) => force?.());
    await within(DYING_MS, Promise.allSettled(forced));
  }

  private async closeAll(): Promise<void> {
    for (const closer of this.closers.toReversed()) {
      try {
        await closer.close();
        closer.closed = true;
      } catch (error) {
        process.stderr.write(`While stopping: ${(error as Error).message}\n`);
      }
    }
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const late = pause(ms, undefined, timer).catch(() => undefined);
  await Promise.race([work, late]);
  timer.abort();
}
