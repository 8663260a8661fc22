/** Injectable: `signal` fires when the service begins to stop, so that answers without an end (event streams) end. */
export class Stopping {
  private readonly controller = new AbortController();
  private running = 0;
  private idle?: () => void;

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Counts a request in; call the answer when it is out. */
  enter(): () => void {
    this.running++;
    return () => {
      this.running--;
      if (!this.running) this.idle?.();
    };
  }

  /** Fires the signal; resolves when no request runs any more, or after `graceMs`. */
  async begin(graceMs: number): Promise<void> {
    this.controller.abort();
    if (!this.running) return;
    await new Promise<void>((resolve) => {
      this.idle = resolve;
      setTimeout(resolve, graceMs).unref();
    });
  }
}
