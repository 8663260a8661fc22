import type { Message } from '@libs/messages';
import { InProcessQueue } from './in-process-queue';
import { RETRIES, type RetryPolicy } from './retry-policy';

/** The queues and bindings that the in-process buses of one process share. */
export class InProcessHub {
  static readonly ofProcess = new InProcessHub();
  private readonly queues = new Map<string, InProcessQueue>();
  private readonly bindings = new Map<string, Set<InProcessQueue>>();
  private anonymous = 0;

  constructor(private readonly retries: RetryPolicy = RETRIES) {}

  publish(message: Message<unknown>, body: string, delayMs: number): void {
    const targets =
      message.kind === 'work'
        ? [this.queue(`work:${message.name}`)]
        : (this.bindings.get(message.name) ?? []);
    for (const queue of targets) queue.add(body, delayMs);
  }

  queue(name: string): InProcessQueue {
    let queue = this.queues.get(name);
    if (!queue) this.queues.set(name, (queue = new InProcessQueue(name, this.retries)));
    return queue;
  }

  bind(event: string, group: string | undefined): InProcessQueue {
    const queue = this.queue(`event:${event}:${group ?? `#${++this.anonymous}`}`);
    const bound = this.bindings.get(event) ?? new Set();
    this.bindings.set(event, bound.add(queue));
    return queue;
  }

  unbind(event: string, queue: InProcessQueue): void {
    this.bindings.get(event)?.delete(queue);
    this.queues.delete(queue.name);
  }

  /** What was set aside after its last attempt, for tests and diagnosis. */
  deadLetters(work: string): unknown[] {
    return this.queue(`work:${work}`).dead.map((body) => JSON.parse(body) as unknown);
  }
}
