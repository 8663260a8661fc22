import type { EventMessage, Message, WorkMessage } from '@libs/messages';
import { InProcessHub } from './in-process-hub';
import {
  MessageBus,
  type ConsumeOptions,
  type Handler,
  type PublishOptions,
  type SubscribeOptions,
  type Subscription,
} from './message-bus';

/**
 * Messages between the services of one process. What is under way is lost when the process ends: fit for a platform
 * whose truth is in the database and whose services sweep it when they start.
 */
export class InProcessBus extends MessageBus {
  readonly lasting = false;
  private readonly mine = new Set<Subscription>();
  private closed = false;

  /** Buses on one hub hear each other; by default all of the process. */
  constructor(private readonly hub: InProcessHub = InProcessHub.ofProcess) {
    super();
  }

  async publish<T>(
    message: Message<T>,
    payload: T,
    { delayMs = 0 }: PublishOptions = {},
  ): Promise<void> {
    if (this.closed) throw new Error('the message bus is closed');
    // A copy: on a real bus nobody shares objects with the sender.
    this.hub.publish(message, JSON.stringify(payload), delayMs);
  }

  async consume<T>(work: WorkMessage<T>, handler: Handler<T>, options: ConsumeOptions = {}) {
    return this.keep(
      this.hub.queue(`work:${work.name}`).consume(handler as Handler<unknown>, options.prefetch),
    );
  }

  async subscribe<T>(event: EventMessage<T>, handler: Handler<T>, options: SubscribeOptions = {}) {
    const queue = this.hub.bind(event.name, options.group);
    const consumer = queue.consume(handler as Handler<unknown>, options.prefetch);
    return this.keep({
      stop: async () => {
        if (!options.group) this.hub.unbind(event.name, queue);
        await consumer.stop();
      },
    });
  }

  async ping(): Promise<void> {
    if (this.closed) throw new Error('the message bus is closed');
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.mine].map((subscription) => subscription.stop()));
  }

  private keep(subscription: Subscription): Subscription {
    const kept = {
      stop: async () => {
        this.mine.delete(kept);
        await subscription.stop();
      },
    };
    this.mine.add(kept);
    return kept;
  }
}
