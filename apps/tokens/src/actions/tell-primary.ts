import { setTimeout as delay } from 'node:timers/promises';
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { ServiceClient } from '@libs/service-client';
import { Log } from '@libs/service-kit';
import { TokensStore } from '../store/tokens.store';

const BATCH = 500;
const RETRY_MS = 2_000;
const TIMEOUT_MS = 5_000;

/**
 * The primary serves the tenants of an associate where that runs no service of its own, so it must know which of their
 * tokens are revoked: told at once, and again until it has heard. The table remembers what is still to be told.
 */
@Injectable()
export class TellPrimary implements OnApplicationBootstrap, OnApplicationShutdown {
  private running?: Promise<void>;
  private again = false;
  private stopped = false;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly tenants: Tenants,
    private readonly client: ServiceClient,
    private readonly tokens: TokensStore,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    if (this.tenants.here?.primary !== false) return;
    this.tokens.tellAlso(this);
    this.nudge();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  nudge(): void {
    if (this.stopped) return;
    this.again = true;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
      if (this.again) this.timer = setTimeout(() => this.nudge(), RETRY_MS).unref();
    });
  }

  /** When the primary has heard, at the latest after `ms`. */
  async settled(ms: number): Promise<void> {
    if (this.running) await Promise.race([this.running, delay(ms, undefined, { ref: false })]);
  }

  private async run(): Promise<void> {
    try {
      while (this.again && !this.stopped) {
        this.again = false;
        for (;;) {
          const tokens = await this.tokens.untold(BATCH);
          if (!tokens.length) break;
          const calls = await this.client.asItself();
          const options = { body: { tokens }, atPrimary: true, timeoutMs: TIMEOUT_MS };
          await calls.post('tokens', '/v3/tokens/revoked', options);
          await this.tokens.markTold(tokens.map(({ jti }) => jti));
        }
      }
    } catch (err) {
      this.again = true;
      this.log.warn({ err }, 'the primary site could not be told of revoked tokens yet');
    }
  }
}
