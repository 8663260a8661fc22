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
    this.running ??= Promise.race([this.closeAll(), pause(PATIENCE_MS)]);
    return this.running;
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
