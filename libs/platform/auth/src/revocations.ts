/** Where the list of revoked tokens is read at start and now and then. */
export abstract class RevocationSource {
  abstract load(): Promise<{ jti: string; exp: number }[]>;
}

const POLL_MS = 60_000;
const RETRY_MS = 2_000;

/**
 * The tokens (by jti) that must not be accepted although they are otherwise good. Filled from the tokens service at
 * start and every minute, and at once by the event `tokens.revoked`; entries leave when the token has expired.
 */
export class Revocations {
  private readonly expiry = new Map<string, number>();
  private timer?: NodeJS.Timeout;
  private stopped = false;

  constructor(
    private readonly source?: RevocationSource,
    private readonly now: () => number = Date.now,
  ) {}

  /** Starts to keep the list fresh; while the source is away it is asked more often. */
  async start(): Promise<void> {
    if (this.source && !this.stopped) await this.refresh();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  has(jti: string): boolean {
    return this.expiry.has(jti);
  }

  /** `exp` in seconds, as in the token. */
  add(jti: string, exp: number): void {
    this.expiry.set(jti, exp);
  }

  private async refresh(): Promise<void> {
    let next = POLL_MS;
    try {
      for (const { jti, exp } of (await this.source?.load()) ?? []) this.add(jti, exp);
    } catch {
      // What is known stays known.
      next = RETRY_MS;
    }
    const seconds = this.now() / 1000;
    for (const [jti, exp] of this.expiry) if (exp < seconds) this.expiry.delete(jti);
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.refresh(), next);
    this.timer.unref();
  }
}
