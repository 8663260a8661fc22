import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import * as messages from '@libs/messages';
import type { MessageBus } from '@libs/messaging';
import type { Database } from './database';
import { run } from './rows';

interface OutboxRow {
  id: string;
  message: string;
  payload: unknown;
}

const BATCH = 100;
/** Finds what a lost nudge, another process or a killed one left. */
const SWEEP_MS = 5_000;
const RETRY_MS = 1_000;
/** Nudges that come this soon after a batch are answered together. */
const PACE_MS = 10;

const TAKE = `DELETE FROM outbox WHERE id IN (
  SELECT id FROM outbox WHERE available_at <= now() ORDER BY available_at, id LIMIT ${BATCH}
  FOR UPDATE SKIP LOCKED)
RETURNING id, message, payload`;
const PUT_BACK = `INSERT INTO outbox (message, payload)
SELECT * FROM unnest($1::text[], $2::jsonb[])`;

const byName = new Map(
  Object.values(messages as Record<string, unknown>)
    .filter(
      (m): m is messages.Message<unknown> =>
        typeof m === 'object' && m !== null && 'kind' in m && 'name' in m,
    )
    .map((m) => [m.name, m]),
);

/** Publishes due outbox rows and deletes them in one transaction; any number of relays may share the table. */
export class OutboxRelay {
  private readonly logger = new Logger(OutboxRelay.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly bus: MessageBus,
  ) {}

  start(): void {
    this.nudge();
  }

  nudge(): void {
    if (this.stopped) return;
    this.again = true;
    this.running ??= this.drain().finally(() => {
      this.running = undefined;
      if (this.again) this.nudge();
    });
  }

  /** When what was due is published, at the latest after `ms`: for answers that promise that others know. */
  async settled(ms: number): Promise<void> {
    const end = Date.now() + ms;
    while (this.running && Date.now() < end)
      await Promise.race([this.running, delay(end - Date.now(), undefined, { ref: false })]);
  }

  /** What is not published yet stays for the next start. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.again = false;
    clearTimeout(this.timer);
    await this.running;
  }

  private async drain(): Promise<void> {
    let wait = SWEEP_MS;
    try {
      while (this.again && !this.stopped) {
        this.again = false;
        while ((await this.publishBatch()) === BATCH && !this.stopped);
        await new Promise((resolve) => setTimeout(resolve, PACE_MS));
      }
      wait = await this.untilNextDue();
    } catch (error) {
      wait = RETRY_MS;
      this.again = false;
      if (!this.stopped) this.logger.warn(`outbox: ${(error as Error).message}; trying again`);
    }
    clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => this.nudge(), wait).unref();
  }

  private publishBatch(): Promise<number> {
    // Messages of a bus within the process die with it: rows kept in a transaction meanwhile would save none of them.
    if (!this.bus.lasting) return this.handOver();
    return this.database.transaction(async (tx) => {
      const { rows } = await run<OutboxRow>(tx, TAKE);
      await Promise.all(inOrder(rows).map((row) => this.publish(row)));
      return rows.length;
    });
  }

  private async handOver(): Promise<number> {
    const rows = await this.database.prepared<OutboxRow>(TAKE);
    const results = await Promise.allSettled(inOrder(rows).map((row) => this.publish(row)));
    const left = rows.filter((_, i) => results[i]!.status === 'rejected');
    if (left.length) {
      const payloads = left.map(({ payload }) => JSON.stringify(payload));
      await this.database.query(PUT_BACK, [left.map(({ message }) => message), payloads]);
    }
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return rows.length;
  }

  private async publish({ message, payload }: OutboxRow): Promise<void> {
    const known = byName.get(message);
    if (known) await this.bus.publish(known, payload);
    else this.logger.error(`outbox: dropped a message of the unknown name ${message}`);
  }

  private async untilNextDue(): Promise<number> {
    const [row] = await this.database.query<{ ms: number | null }>(
      `SELECT (extract(epoch FROM min(available_at) - now()) * 1000)::float8 AS ms FROM outbox WHERE available_at > now()`,
    );
    return Math.min(SWEEP_MS, Math.max(1, Math.ceil(row?.ms ?? SWEEP_MS)));
  }
}

const inOrder = (rows: OutboxRow[]): OutboxRow[] =>
  rows.sort((a, b) => Number(a.id) - Number(b.id));
