import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 4500;

/** Closes what was opened, last first, and never takes longer than a person waits after Ctrl-C. */
export class Shutdown {
  private readonly closers: (() => unknown)[] = [];
  private running?: Promise<void>;

  add(close: () => unknown): void {
    this.closers.push(close);
  }

  /** Safe to call twice; a closer that fails does not keep the others from running. */
  run(): Promise<void> {
    this.running ??= this.closeInTime();
    return this.running;
  }

  private async closeInTime(): Promise<void> {
    const timer = new AbortController();
    const late = pause(PATIENCE_MS, undefined, timer).catch(() => undefined);
    await Promise.race([this.closeAll(), late]);
    timer.abort();
  }

  private async closeAll(): Promise<void> {
    for (const close of this.closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        process.stderr.write(`While stopping: ${(error as Error).message}\n`);
      }
    }
  }
}
