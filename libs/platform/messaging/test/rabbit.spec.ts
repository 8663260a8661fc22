import { connect } from 'amqplib';
import { rabbit, until, type Rabbit } from '@libs/kit';
import { defineEvent, defineWork } from '@libs/messages';
import { platform } from '@libs/platform-name';
import { RabbitBus } from '../src';
import { busSuite } from './bus-suite';

let broker: Rabbit;
const retries = { attempts: 4, backoffMs: () => 100 };
beforeAll(async () => {
  broker = await rabbit();
});
afterAll(() => broker?.stop());

async function deadLetters(work: string): Promise<unknown[]> {
  const connection = await connect(broker.url);
  try {
    const channel = await connection.createChannel();
    const found: unknown[] = [];
    for (;;) {
      const message = await channel.get(`${platform().queue(work)}.dead`, { noAck: true });
      if (!message) return found;
      found.push(JSON.parse(message.content.toString()));
    }
  } finally {
    await connection.close();
  }
}

busSuite('RabbitMQ', async () => ({
  connect: () => RabbitBus.connect(broker.url, retries),
  deadLetters,
}));

it('goes on after the broker was restarted: nothing confirmed is lost', async () => {
  const bus = await RabbitBus.connect(broker.url, retries);
  const work = defineWork<{ n: number }>('test.restart');
  const event = defineEvent<{ n: number }>('test.restarted');
  const seen = new Set<number>();
  const heard: number[] = [];
  const held = Promise.withResolvers<void>();
  await bus.subscribe(event, ({ n }) => void heard.push(n));
  await bus.consume(work, async ({ n }) => {
    if (n === 0) await held.promise;
    seen.add(n);
  });
  for (const n of [0, 1, 2]) await bus.publish(work, { n });
  await bus.publish(work, { n: 3 }, { delayMs: 1_500 });
  await broker.shutdown();
  // Waits for the broker for a while, then rejects: never reported as sent before it is.
  const send = (): Promise<void> => bus.publish(work, { n: 4 }).catch(send);
  const later = send();
  held.resolve();
  await broker.start();
  await later;
  await until(() => seen.size === 5, 30_000);
  await bus.publish(event, { n: 1 });
  await until(() => heard.length);
  await bus.close();
});
