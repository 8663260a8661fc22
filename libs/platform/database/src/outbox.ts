import type { EntityManager } from 'typeorm';
import type { Message } from '@libs/messages';
import type { PublishOptions } from '@libs/messaging';
import { Database } from './database';
import { OutboxRelay } from './outbox-relay';
import { run } from './rows';

/**
 * Messages that leave with the transaction that has reason to send them: written to table `outbox`, published after
 * the commit, kept until the bus has confirmed them.
 */
export class Outbox {
  constructor(
    private readonly database: Database,
    private readonly relay: OutboxRelay,
  ) {}

  async add<T>(
    tx: EntityManager,
    message: Message<T>,
    payload: T,
    { delayMs = 0 }: PublishOptions = {},
  ): Promise<void> {
    await run(
      tx,
      `INSERT INTO outbox (message, payload, available_at)
       VALUES ($1, $2, now() + $3 * interval '1 millisecond')`,
      [message.name, JSON.stringify(payload), delayMs],
    );
    this.database.afterCommit(tx, this.nudge);
  }

  /** When the messages added so far have left, at the latest after `ms`. */
  settled(ms: number): Promise<void> {
    return this.relay.settled(ms);
  }

  /** For statements that insert into `outbox` by themselves: call it after their commit. */
  readonly nudge = (): void => this.relay.nudge();
}
