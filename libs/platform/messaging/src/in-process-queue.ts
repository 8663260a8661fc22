import type { Handler, Subscription } from './message-bus';
import type { RetryPolicy } from './retry-policy';

interface Item {
  body: string;
  attempt: number;
}

interface Consumer {
  handler: Handler<unknown>;
  room: number;
  running: Set<Promise<void>>;
}

/** One queue in memory: competing consumers with prefetch, delay, redelivery with growing waits, dead letters. */
export class InProcessQueue {
  readonly dead: string[] = [];
  private readonly waiting: Item[] = [];
  private readonly consumers: Consumer[] = [];
  private turn = 0;

  constructor(
    readonly name: string,
    private readonly retries: RetryPolicy,
  ) {}

  add(body: string, delayMs = 0, attempt = 1): void {
    const enqueue = () => {
      this.waiting.push({ body, attempt });
      this.dispatch();
    };
    // Never in the publisher's own call: a handler must not run before `publish` has returned.
    if (delayMs > 0) setTimeout(enqueue, delayMs).unref();
    else setImmediate(enqueue);
  }

  consume(handler: Handler<unknown>, prefetch = 10): Subscription {
    const consumer: Consumer = { handler, room: prefetch, running: new Set() };
    this.consumers.push(consumer);
    this.dispatch();
    return {
      stop: async () => {
        const at = this.consumers.indexOf(consumer);
        if (at >= 0) this.consumers.splice(at, 1);
        await Promise.all(consumer.running);
      },
    };
  }

  private dispatch(): void {
    while (this.waiting.length) {
      const consumer = this.next();
      if (!consumer) return;
      this.hand(consumer, this.waiting.shift()!);
    }
  }

  /** Fair turns among the consumers that have room. */
  private next(): Consumer | undefined {
    for (let i = 0; i < this.consumers.length; i++) {
      const consumer = this.consumers[(this.turn + i) % this.consumers.length]!;
      if (consumer.room > 0) {
        this.turn = (this.turn + i + 1) % this.consumers.length;
        return consumer;
      }
    }
    return undefined;
  }

  private hand(consumer: Consumer, item: Item): void {
    consumer.room--;
    const work = (async () => consumer.handler(JSON.parse(item.body), { attempt: item.attempt }))()
      .catch(() => {
        if (item.attempt >= this.retries.attempts) this.dead.push(item.body);
        else this.add(item.body, this.retries.backoffMs(item.attempt), item.attempt + 1);
      })
      .then(() => {
        consumer.room++;
        consumer.running.delete(work);
        this.dispatch();
      });
    consumer.running.add(work);
  }
}
