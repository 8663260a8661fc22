import { InProcessBus } from './in-process-bus';
export class RabbitBus extends InProcessBus {
  static async connect(_url: string): Promise<RabbitBus> {
    throw new Error('not yet');
  }
}
