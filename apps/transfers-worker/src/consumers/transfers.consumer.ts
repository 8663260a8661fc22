import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { transfersEnded, transfersWork } from '@libs/messages';
import { MessageBus, type Subscription } from '@libs/messaging';
import { Runner } from '../runner';

/** A message only says that there is something to do; the database says what. */
@Injectable()
export class TransfersConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private subscriptions: Subscription[] = [];

  constructor(
    private readonly bus: MessageBus,
    private readonly runner: Runner,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.subscriptions = await Promise.all([
      this.bus.consume(transfersWork, () => this.runner.wake()),
      // Somebody may have cancelled what is running here.
      this.bus.subscribe(transfersEnded, () => this.runner.look()),
    ]);
    this.runner.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.subscriptions.map((s) => s.stop()));
    await this.runner.stop();
  }
}
