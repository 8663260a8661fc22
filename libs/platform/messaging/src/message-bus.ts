import type { EventMessage, Message, WorkMessage } from '@libs/messages';

export interface PublishOptions {
  /** Not handed out before this time has passed. */
  delayMs?: number;
}

export interface ConsumeOptions {
  /** Messages in work at once by this consumer. Default 10. */
  prefetch?: number;
}

export interface SubscribeOptions extends ConsumeOptions {
  /** A durable name: of all its members one hears of each event. Without it every instance hears of every event. */
  group?: string;
}

export interface Delivery {
  /** 1 the first time. */
  attempt: number;
}

/** A handler that rejects gets the message again, later each time, and after the last attempt it is set aside. */
export type Handler<T> = (payload: T, delivery: Delivery) => Promise<void> | void;

export interface Subscription {
  /** Takes no further message; resolves when the handlers that run are through. */
  stop(): Promise<void>;
}

/**
 * At least once, in no promised order. A message says that there is something to do or to know; whoever handles it
 * looks into the database for what that is.
 */
export abstract class MessageBus {
  /** Whether published messages outlive this process. */
  abstract readonly lasting: boolean;
  /** Resolves once the bus has the message for sure. */
  abstract publish<T>(message: Message<T>, payload: T, options?: PublishOptions): Promise<void>;
  abstract consume<T>(
    work: WorkMessage<T>,
    handler: Handler<T>,
    options?: ConsumeOptions,
  ): Promise<Subscription>;
  abstract subscribe<T>(
    event: EventMessage<T>,
    handler: Handler<T>,
    options?: SubscribeOptions,
  ): Promise<Subscription>;
  /** Stops its subscriptions, waits for their handlers, disconnects. */
  abstract close(): Promise<void>;
  /** Resolves when messages can flow. */
  abstract ping(): Promise<void>;
}
