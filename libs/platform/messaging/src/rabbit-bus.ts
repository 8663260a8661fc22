import { Logger } from '@nestjs/common';
import { connect, type ChannelModel, type RecoveringChannelModel } from 'amqplib';
import type { EventMessage, Message, WorkMessage } from '@libs/messages';
import {
  MessageBus,
  type ConsumeOptions,
  type Handler,
  type PublishOptions,
  type SubscribeOptions,
  type Subscription,
} from './message-bus';
import { RabbitConsumer } from './rabbit-consumer';
import { RabbitPublisher } from './rabbit-publisher';
import { RETRIES, type RetryPolicy } from './retry-policy';

/** How long a publisher waits for a broker that is away before it rejects; the outbox tries again later. */
const PATIENCE_MS = 10_000;

/**
 * RabbitMQ: confirmed publishing, quorum queues with dead letters, delays by queues whose messages expire. When the
 * broker goes away it connects again, declares everything anew and goes on.
 */
export class RabbitBus extends MessageBus {
  readonly lasting = true;
  private readonly logger = new Logger(RabbitBus.name);
  private readonly consumers = new Set<RabbitConsumer>();
  private connection!: RecoveringChannelModel;
  private model: ChannelModel | undefined;
  private publisher: RabbitPublisher | undefined;
  private waiting: (() => void)[] = [];
  private closed = false;

  private constructor(private readonly retries: RetryPolicy) {
    super();
  }

  /** Resolves when connected; a broker that cannot be reached for about 10 s is an error. */
  static async connect(url: string, retries: RetryPolicy = RETRIES): Promise<RabbitBus> {
    const bus = new RabbitBus(retries);
    const target = new URL(url);
    if (!target.searchParams.has('heartbeat')) target.searchParams.set('heartbeat', '20');
    bus.connection = await connect(target.toString(), {
      noDelay: true,
      recovery: {
        initialDelay: 100,
        maxDelay: 1_000,
        initialMaxRetries: 8,
        setup: (model: ChannelModel) => bus.setUp(model),
      },
    });
    bus.connection.on('error', () => undefined);
    bus.connection.on('disconnect', (error: Error) => bus.onDisconnect(error));
    return bus;
  }

  async publish<T>(
    message: Message<T>,
    payload: T,
    { delayMs = 0 }: PublishOptions = {},
  ): Promise<void> {
    await (await this.ready()).publish(message, payload, delayMs);
  }

  async consume<T>(
    work: WorkMessage<T>,
    handler: Handler<T>,
    options: ConsumeOptions = {},
  ): Promise<Subscription> {
    return this.add(work, handler, options);
  }

  async subscribe<T>(
    event: EventMessage<T>,
    handler: Handler<T>,
    options: SubscribeOptions = {},
  ): Promise<Subscription> {
    return this.add(event, handler, options);
  }

  async ping(): Promise<void> {
    if (!this.publisher || this.closed) throw new Error('not connected to the message broker');
  }

  async close(): Promise<void> {
    if (this.closed) return;
    await Promise.all([...this.consumers].map((consumer) => consumer.stop()));
    this.closed = true;
    this.wake();
    await this.connection.close().catch(() => undefined);
  }

  private async add<T>(
    message: WorkMessage<T> | EventMessage<T>,
    handler: Handler<T>,
    { prefetch = 10, group }: SubscribeOptions,
  ): Promise<Subscription> {
    const consumer = new RabbitConsumer({
      message,
      group,
      prefetch,
      handler: handler as Handler<unknown>,
      retries: this.retries,
      publisher: () => this.ready(),
    });
    await this.ready();
    this.consumers.add(consumer);
    await consumer.follow(this.model!);
    return {
      stop: async () => {
        this.consumers.delete(consumer);
        await consumer.stop();
      },
    };
  }

  private async setUp(model: ChannelModel): Promise<void> {
    model.on('error', () => undefined);
    const channel = await model.createConfirmChannel();
    channel.on('error', (error) => this.logger.warn(error.message));
    // A channel that the broker closes alone (a refused declaration) is replaced; with its connection, by recovery.
    channel.on('close', () => {
      if (this.publisher === publisher) this.publisher = undefined;
    });
    const publisher = new RabbitPublisher(channel);
    this.model = model;
    this.publisher = publisher;
    this.wake();
    for (const consumer of this.consumers) void consumer.follow(model);
  }

  private onDisconnect(error: Error | undefined): void {
    this.publisher = undefined;
    this.model = undefined;
    if (!this.closed)
      this.logger.warn(`message broker lost (${error?.message ?? 'closed'}); connecting again`);
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const go of waiting) go();
  }

  private async ready(): Promise<RabbitPublisher> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!this.publisher) {
      const rest = deadline - Date.now();
      if (this.closed) throw new Error('the message bus is closed');
      if (rest <= 0) throw new Error('not connected to the message broker');
      await new Promise<void>((go) => {
        const timer = setTimeout(go, rest);
        this.waiting.push(() => {
          clearTimeout(timer);
          go();
        });
      });
    }
    return this.publisher;
  }
}
