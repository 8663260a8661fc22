/** Where the list of revoked tokens is read at start and now and then. */
export abstract class RevocationSource {
  abstract load(): Promise<{ jti: string; exp: number }[]>;
}

const POLL_MS = 60_000;

/**
 * The tokens (by jti) that must not be accepted although they are otherwise good. Filled from the tokens service at
 * start and every minute, and at once by the event `tokens.revoked`; entries leave when the token has expired.
 */
export class Revocations {
  private readonly expiry = new Map<string, number>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly source?: RevocationSource,
    private readonly now: () => number = Date.now,
  ) {}

  /** Starts to keep the list fresh; a source that is away only delays it. */
  async start(): Promise<void> {
    if (!this.source) return;
    this.timer = setInterval(() => void this.refresh(), POLL_MS);
    this.timer.unref();
    await this.refresh();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  has(jti: string): boolean {
    return this.expiry.has(jti);
  }

  /** `exp` in seconds, as in the token. */
  add(jti: string, exp: number): void {
    this.expiry.set(jti, exp);
  }

  private async refresh(): Promise<void> {
    try {
      for (const { jti, exp } of (await this.source?.load()) ?? []) this.add(jti, exp);
    } catch {
      // Asked again in a minute; what is known stays known.
    }
    const seconds = this.now() / 1000;
    for (const [jti, exp] of this.expiry) if (exp < seconds) this.expiry.delete(jti);
  }
}
