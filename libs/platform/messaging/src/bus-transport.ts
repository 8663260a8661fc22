import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { EventMessage, Message, WorkMessage } from '@libs/messages';
import type { Handler, MessageBus, SubscribeOptions, Subscription } from './message-bus';

/**
 * Serves `@EventPattern(jobsWork, {prefetch: 8})` and `@EventPattern(tokensRevoked)` of Nest controllers from the bus:
 * the pattern is the message itself, the extras are consume or subscribe options. A handler that rejects gets the
 * message again.
 */
export class BusTransport extends Server implements CustomTransportStrategy {
  override readonly propagatesEventHandlerErrors = true;
  private subscriptions: Subscription[] = [];

  constructor(private readonly bus: MessageBus) {
    super();
  }

  listen(callback: (error?: unknown) => void): void {
    this.start().then(() => callback(), callback);
  }

  async close(): Promise<void> {
    const { subscriptions } = this;
    this.subscriptions = [];
    await Promise.all(subscriptions.map((subscription) => subscription.stop()));
  }

  on(): void {
    throw new Error('the bus transport has no events of its own');
  }

  unwrap<T>(): T {
    return this.bus as T;
  }

  private async start(): Promise<void> {
    for (const [pattern, handler] of this.messageHandlers) {
      const message = JSON.parse(pattern) as Message<unknown>;
      const handle: Handler<unknown> = async (payload, delivery) => {
        const answer: unknown = await handler(payload, delivery);
        if (isObservable(answer)) await lastValueFrom(answer, { defaultValue: undefined });
      };
      const options = (handler.extras ?? {}) as SubscribeOptions;
      this.subscriptions.push(
        message.kind === 'work'
          ? await this.bus.consume(message as WorkMessage<unknown>, handle, options)
          : await this.bus.subscribe(message as EventMessage<unknown>, handle, options),
      );
    }
  }
}
