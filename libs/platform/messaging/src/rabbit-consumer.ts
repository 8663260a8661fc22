import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import type { EventMessage, WorkMessage } from '@libs/messages';
import type { Handler } from './message-bus';
import {
  deadLetterQueue,
  deadQueue,
  durableQueue,
  eventExchange,
  groupQueue,
  workQueue,
} from './rabbit-names';
import type { RabbitPublisher } from './rabbit-publisher';
import type { RetryPolicy } from './retry-policy';

const ATTEMPT = 'x-attempt';
const ATTACH_MS = 10_000;
const RETRY_MS = 1_000;

export interface ConsumerOptions {
  message: WorkMessage<unknown> | EventMessage<unknown>;
  group?: string;
  prefetch: number;
  handler: Handler<unknown>;
  retries: RetryPolicy;
  /** The publisher of the connection that is up now. */
  publisher: () => Promise<RabbitPublisher>;
}

/** One subscription; attached to each new connection in turn. */
export class RabbitConsumer {
  private readonly logger = new Logger(RabbitConsumer.name);
  private readonly running = new Set<Promise<void>>();
  private readonly queue: string;
  private connection: ChannelModel | undefined;
  private channel: Channel | undefined;
  private consumerTag: string | undefined;
  private stopped = false;

  constructor(private readonly options: ConsumerOptions) {
    const { message, group } = options;
    this.queue =
      message.kind === 'work'
        ? workQueue(message)
        : groupQueue(message, group ?? `instance.${randomUUID()}`);
  }

  /** Consumes on this connection from now on; resolves when it does, or when another connection took its place. */
  async follow(connection: ChannelModel): Promise<void> {
    this.connection = connection;
    while (this.isCurrent(connection)) {
      // Fails only when the connection is gone, and then the next one comes.
      const channel = await connection.createChannel().catch(() => undefined);
      if (!channel) return;
      channel.on('error', (error) => this.logger.warn(`${this.queue}: ${error.message}`));
      try {
        // A broker that was killed may never answer for a queue that it has not recovered.
        await withDeadline(this.serve(channel, connection), ATTACH_MS);
        return;
      } catch (error) {
        if (!this.isCurrent(connection)) return;
        this.logger.warn(`${this.queue}: ${(error as Error).message}; trying again`);
        channel.close().catch(() => undefined);
        await delay(RETRY_MS);
      }
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    const { channel } = this;
    // Closing at once would hand messages in work to somebody else: first let them finish.
    if (channel && this.consumerTag) await channel.cancel(this.consumerTag).catch(() => undefined);
    await Promise.all(this.running);
    await channel?.close().catch(() => undefined);
  }

  private isCurrent(connection: ChannelModel): boolean {
    return !this.stopped && this.connection === connection;
  }

  private async serve(channel: Channel, connection: ChannelModel): Promise<void> {
    await this.declare(channel);
    await channel.prefetch(this.options.prefetch);
    const { consumerTag } = await channel.consume(this.queue, (delivery) => {
      if (delivery) this.take(channel, delivery);
      // The broker took the queue away: its leader moved, or somebody deleted it.
      else void channel.close().catch(() => undefined);
    });
    this.channel = channel;
    this.consumerTag = consumerTag;
    channel.once('close', () => {
      if (this.isCurrent(connection)) void this.follow(connection);
    });
  }

  private async declare(channel: Channel): Promise<void> {
    const { message, group } = this.options;
    if (message.kind === 'event')
      await channel.assertExchange(eventExchange(message), 'fanout', { durable: true });
    if (message.kind === 'event' && !group) {
      await channel.assertQueue(this.queue, { exclusive: true, autoDelete: true, durable: false });
    } else {
      await channel.assertQueue(deadQueue(this.queue), deadLetterQueue);
      await channel.assertQueue(this.queue, durableQueue(this.queue));
    }
    if (message.kind === 'event') await channel.bindQueue(this.queue, eventExchange(message), '');
  }

  private take(channel: Channel, delivery: ConsumeMessage): void {
    const work = this.handle(channel, delivery).finally(() => this.running.delete(work));
    this.running.add(work);
  }

  private async handle(channel: Channel, delivery: ConsumeMessage): Promise<void> {
    const attempt = Number(delivery.properties.headers?.[ATTEMPT] ?? 1);
    try {
      await this.options.handler(JSON.parse(delivery.content.toString()), { attempt });
      settle(() => channel.ack(delivery));
    } catch (error) {
      await this.retry(channel, delivery, attempt, error as Error);
    }
  }

  private async retry(
    channel: Channel,
    delivery: ConsumeMessage,
    attempt: number,
    reason: Error,
  ): Promise<void> {
    const { attempts, backoffMs } = this.options.retries;
    if (attempt >= attempts) {
      this.logger.error(`${this.queue}: set aside after ${attempt} attempts: ${reason.message}`);
      return settle(() => channel.nack(delivery, false, false));
    }
    try {
      const publisher = await this.options.publisher();
      const route = { exchange: '', key: this.queue };
      await publisher.send(route, delivery.content, backoffMs(attempt), { [ATTEMPT]: attempt + 1 });
      settle(() => channel.ack(delivery));
    } catch {
      // The connection is gone; the broker hands the message out again by itself.
      settle(() => channel.nack(delivery));
    }
  }
}

/** A channel that closed meanwhile has given its messages back already. */
function settle(answer: () => void): void {
  try {
    answer();
  } catch {
    // nothing to settle any more
  }
}

async function withDeadline(work: Promise<void>, ms: number): Promise<void> {
  const timer = new AbortController();
  const late = delay(ms, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw new Error(`no answer from the broker in ${ms} ms`);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
}
