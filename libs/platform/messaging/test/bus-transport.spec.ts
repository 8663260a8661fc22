import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, EventPattern, Payload, type MicroserviceOptions } from '@nestjs/microservices';
import { until } from '@libs/kit';
import { defineEvent, defineWork } from '@libs/messages';
import { BusTransport, InProcessBus, InProcessHub, type Delivery } from '../src';

const work = defineWork<{ n: number }>('test.transport');
const event = defineEvent<{ n: number }>('test.transported');
const seen: string[] = [];

@Controller()
class Consumers {
  @EventPattern(work, { prefetch: 1 })
  onWork(@Payload() { n }: { n: number }, @Ctx() { attempt }: Delivery) {
    seen.push(`work ${n} attempt ${attempt}`);
    if (attempt === 1) throw new Error('again');
  }

  @EventPattern(event, { group: 'test' })
  async onEvent(@Payload() { n }: { n: number }) {
    seen.push(`event ${n}`);
  }
}

@Module({ controllers: [Consumers] })
class TestModule {}

it('serves Nest controllers, and a handler that throws hears again', async () => {
  const bus = new InProcessBus(new InProcessHub({ attempts: 3, backoffMs: () => 10 }));
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(TestModule, {
    strategy: new BusTransport(bus),
    logger: false,
  });
  await app.listen();
  await bus.publish(work, { n: 1 });
  await bus.publish(event, { n: 2 });
  await until(() => seen.length === 3);
  expect(seen.sort()).toEqual(['event 2', 'work 1 attempt 1', 'work 1 attempt 2']);
  await app.close();
  await bus.publish(work, { n: 3 });
  await bus.close();
  expect(seen).toHaveLength(3);
});
