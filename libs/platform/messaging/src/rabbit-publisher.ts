import type { ConfirmChannel, Options } from 'amqplib';
import type { Message } from '@libs/messages';
import {
  deadLetterQueue,
  deadQueue,
  delayQueue,
  durableQueue,
  routeTo,
  type Route,
} from './rabbit-names';

/** Declared again after this long, before the broker may have dropped the unused queue. */
const DELAY_QUEUE_FRESH_MS = 30_000;

/** Publishes on one confirm channel, declaring what it publishes to. Lives as long as its connection. */
export class RabbitPublisher {
  private readonly declared = new Map<string, Promise<number>>();

  constructor(private readonly channel: ConfirmChannel) {}

  async publish(message: Message<unknown>, payload: unknown, delayMs: number): Promise<void> {
    await this.declareTarget(message);
    await this.send(routeTo(message), Buffer.from(JSON.stringify(payload)), delayMs);
  }

  /** Resolves when the broker has taken responsibility. */
  async send(
    route: Route,
    body: Buffer,
    delayMs: number,
    headers: Record<string, unknown> = {},
  ): Promise<void> {
    const target = delayMs > 0 ? await this.declareDelay(route, delayMs) : route;
    const options: Options.Publish = { persistent: true, contentType: 'application/json', headers };
    await new Promise<void>((done, fail) => {
      this.channel.publish(target.exchange, target.key, body, options, (error: unknown) =>
        error
          ? fail(error instanceof Error ? error : new Error('the broker refused a message'))
          : done(),
      );
    });
  }

  /** Without its queue the broker would drop work that nobody has consumed yet. */
  private async declareTarget(message: Message<unknown>): Promise<void> {
    const { exchange, key } = routeTo(message);
    await this.once(exchange || key, Infinity, async () => {
      if (message.kind === 'event')
        await this.channel.assertExchange(exchange, 'fanout', { durable: true });
      else await this.declareQueue(key);
    });
  }

  async declareQueue(name: string): Promise<void> {
    await this.channel.assertQueue(deadQueue(name), deadLetterQueue);
    await this.channel.assertQueue(name, durableQueue(name));
  }

  private async declareDelay(route: Route, delayMs: number): Promise<Route> {
    const { name, options } = delayQueue(route, delayMs);
    await this.once(name, DELAY_QUEUE_FRESH_MS, () => this.channel.assertQueue(name, options));
    return { exchange: '', key: name };
  }

  private async once(
    name: string,
    freshMs: number,
    declare: () => Promise<unknown>,
  ): Promise<void> {
    const known = this.declared.get(name);
    if (known && (await known) + freshMs > Date.now()) return;
    const promise = declare().then(() => Date.now());
    this.declared.set(name, promise);
    promise.catch(() => this.declared.delete(name));
    await promise;
  }
}
