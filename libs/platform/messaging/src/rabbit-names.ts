import type { Options } from 'amqplib';
import type { EventMessage, Message, WorkMessage } from '@libs/messages';
import { platform } from '@libs/platform-name';

/** A delivery that kills its consumer again and again is set aside after this many times. */
const DELIVERY_LIMIT = 20;
/** An unused queue of delayed messages goes away this long after its last message. */
const DELAY_QUEUE_REST_MS = 60_000;

export interface Route {
  exchange: string;
  key: string;
}

export const workQueue = (work: WorkMessage<unknown>): string => platform().queue(work.name);
export const eventExchange = (event: EventMessage<unknown>): string => platform().queue(event.name);
export const groupQueue = (event: EventMessage<unknown>, group: string): string =>
  `${platform().queue(event.name)}.${group}`;
export const deadQueue = (queue: string): string => `${queue}.dead`;

export const routeTo = (message: Message<unknown>): Route =>
  message.kind === 'work'
    ? { exchange: '', key: workQueue(message) }
    : { exchange: eventExchange(message), key: '' };

/** Replicated, on disk, and never losing a message on its way to the dead letters. */
export function durableQueue(name: string): Options.AssertQueue {
  return {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      'x-delivery-limit': DELIVERY_LIMIT,
      'x-overflow': 'reject-publish',
      'x-dead-letter-strategy': 'at-least-once',
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': deadQueue(name),
    },
  };
}

export const deadLetterQueue: Options.AssertQueue = {
  durable: true,
  arguments: { 'x-queue-type': 'quorum' },
};

/**
 * A queue without consumers whose messages move on to the route when their time is up. One per route and wait: a wait
 * per message in one queue would make short ones stand behind long ones.
 */
export function delayQueue(
  route: Route,
  delayMs: number,
): { name: string; options: Options.AssertQueue; ms: number } {
  const step = delayMs <= 10_000 ? 100 : delayMs <= 600_000 ? 1_000 : 60_000;
  const ms = Math.ceil(delayMs / step) * step;
  return {
    name: `${route.exchange || route.key}.delay.${ms}`,
    ms,
    options: {
      durable: true,
      arguments: {
        // Quorum as well: only such a queue keeps a message whose time is up until its target has it.
        'x-queue-type': 'quorum',
        'x-overflow': 'reject-publish',
        'x-dead-letter-strategy': 'at-least-once',
        'x-message-ttl': ms,
        'x-expires': ms + DELAY_QUEUE_REST_MS,
        'x-dead-letter-exchange': route.exchange,
        'x-dead-letter-routing-key': route.key,
      },
    },
  };
}
