import { setTimeout as pause } from 'node:timers/promises';

/** A person who pressed Ctrl-C waits five seconds, some of which may pass before it is heard. */
const PATIENCE_MS = 3500;

interface Closer {
  close: () => unknown;
  /** Ends it at once, whatever is lost. */
  force?: () => void;
  closed?: boolean;
}

/** Closes what was opened, last first; what is not closed in time is ended by force, so nothing stays behind. */
export class Shutdown {
  private readonly closers: Closer[] = [];
  private running?: Promise<void>;

  add(close: () => unknown, force?: () => void): void {
    this.closers.push({ close, force });
  }

  /** True once it was asked for: what fails from then on is no news. */
  get begun(): boolean {
    return this.running !== undefined;
  }

  /** Safe to call twice; a closer that fails does not keep the others from running. */
  run(patience = PATIENCE_MS): Promise<void> {
    this.running ??= this.closeInTime(patience);
    return this.running;
  }

  private async closeInTime(patience: number): Promise<void> {
    const timer = new AbortController();
    const late = pause(patience, undefined, timer).catch(() => undefined);
    await Promise.race([this.closeAll(), late]);
    timer.abort();
    for (const { closed, force } of this.closers) {
      if (closed || !force) continue;
      try {
        force();
      } catch {
        // it ended meanwhile
      }
    }
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
