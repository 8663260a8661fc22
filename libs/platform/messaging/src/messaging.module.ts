import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceSettings } from '@libs/config';
import { InProcessBus } from './in-process-bus';
import { MessageBus } from './message-bus';
import { RabbitBus } from './rabbit-bus';

/** One bus per service: RabbitMQ when AMQP_URL is set, else the one inside the process. */
@Module({
  providers: [
    {
      provide: MessageBus,
      inject: [ServiceSettings],
      useFactory: (settings: ServiceSettings) =>
        settings.amqpUrl ? RabbitBus.connect(settings.amqpUrl) : new InProcessBus(),
    },
  ],
  exports: [MessageBus],
})
export class MessagingModule implements OnApplicationShutdown {
  constructor(@Inject(MessageBus) private readonly bus: MessageBus) {}

  async onApplicationShutdown(): Promise<void> {
    await this.bus.close();
  }
}
