import { randomUUID } from 'node:crypto';
import { until } from '@libs/kit';
import { defineEvent, defineWork } from '@libs/messages';
import type { MessageBus } from '../src';

export interface BusUnderTest {
  /** A further instance of the service: its own bus on the same broker. Retries: 4 attempts, 100 ms apart. */
  connect(): Promise<MessageBus>;
  deadLetters(work: string): Promise<unknown[]>;
}

interface Numbered {
  n: number;
}

/** What every driver of the message bus keeps. */
export function busSuite(name: string, start: () => Promise<BusUnderTest>): void {
  describe(`${name} bus`, () => {
    let under: BusUnderTest;
    const open: MessageBus[] = [];
    const connect = async () => {
      const bus = await under.connect();
      open.push(bus);
      return bus;
    };
    const work = () => defineWork<Numbered>(`test.${randomUUID()}`);
    const event = () => defineEvent<Numbered>(`test.${randomUUID()}`);
    const many = (count: number) => Array.from({ length: count }, (_, n) => n);

    beforeAll(async () => {
      under = await start();
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map((bus) => bus.close()));
    });

    it('hands each piece of work to one of the competing consumers', async () => {
      const [bus, other] = [await connect(), await connect()];
      const message = work();
      const seen: [string, number][] = [];
      await bus.consume(message, ({ n }) => void seen.push(['a', n]), { prefetch: 1 });
      await other.consume(message, ({ n }) => void seen.push(['b', n]), { prefetch: 1 });
      await Promise.all(many(40).map((n) => bus.publish(message, { n })));
      await until(() => seen.length >= 40);
      expect(seen.map(([, n]) => n).sort((a, b) => a - b)).toEqual(many(40));
      expect(new Set(seen.map(([who]) => who)).size).toBe(2);
    });

    it('keeps work until somebody consumes it', async () => {
      const bus = await connect();
      const message = work();
      await bus.publish(message, { n: 7 });
      const seen: number[] = [];
      await bus.consume(message, ({ n }) => void seen.push(n));
      await until(() => seen.length);
      expect(seen).toEqual([7]);
    });

    it('hands out no more at once than prefetch allows', async () => {
      const bus = await connect();
      const message = work();
      let running = 0;
      let most = 0;
      let done = 0;
      const gate = Promise.withResolvers<void>();
      await bus.consume(
        message,
        async () => {
          most = Math.max(most, ++running);
          if (running === 3) gate.resolve();
          await gate.promise;
          await new Promise((go) => setImmediate(go));
          running--;
          done++;
        },
        { prefetch: 3 },
      );
      for (const n of many(12)) await bus.publish(message, { n });
      await until(() => done === 12);
      expect(most).toBe(3);
    });

    it('does not hand out a delayed message early', async () => {
      const bus = await connect();
      const message = work();
      const seen: { n: number; at: number }[] = [];
      await bus.consume(message, ({ n }) => void seen.push({ n, at: Date.now() }));
      const from = Date.now();
      await bus.publish(message, { n: 2 }, { delayMs: 700 });
      await bus.publish(message, { n: 1 }, { delayMs: 300 });
      await bus.publish(message, { n: 0 });
      await until(() => seen.length === 3);
      expect(seen.map(({ n }) => n)).toEqual([0, 1, 2]);
      expect(seen[1]!.at - from).toBeGreaterThanOrEqual(299);
      expect(seen[2]!.at - from).toBeGreaterThanOrEqual(699);
      expect(seen[2]!.at - from).toBeLessThan(2_000);
    });

    it('hands out again what a handler rejected, and counts', async () => {
      const bus = await connect();
      const message = work();
      const attempts: number[] = [];
      await bus.consume(message, (_, { attempt }) => {
        attempts.push(attempt);
        if (attempt < 3) throw new Error('not yet');
      });
      await bus.publish(message, { n: 1 });
      await until(() => attempts.length === 3);
      expect(attempts).toEqual([1, 2, 3]);
    });

    it('sets a message aside after the last attempt, and goes on with others', async () => {
      const bus = await connect();
      const message = work();
      const seen: number[] = [];
      let attempts = 0;
      await bus.consume(message, ({ n }) => {
        if (n === 13) {
          attempts++;
          throw new Error('never');
        }
        seen.push(n);
      });
      await bus.publish(message, { n: 13 });
      await bus.publish(message, { n: 1 });
      const dead = await until(async () => {
        const found = await under.deadLetters(message.name);
        return found.length ? found : undefined;
      });
      expect(dead).toEqual([{ n: 13 }]);
      expect(attempts).toBe(4);
      expect(seen).toEqual([1]);
    });

    it('tells every instance of an event, but only one of each group', async () => {
      const [first, second] = [await connect(), await connect()];
      const message = event();
      const seen: string[] = [];
      const hear = (who: string) => () => void seen.push(who);
      await first.subscribe(message, hear('first'));
      await second.subscribe(message, hear('second'));
      for (const bus of [first, second])
        await bus.subscribe(message, hear('group'), { group: 'jobs' });
      await first.subscribe(message, hear('other'), { group: 'files' });
      for (const n of many(5)) await second.publish(message, { n });
      await until(() => seen.length === 20);
      const count = (who: string) => seen.filter((w) => w === who).length;
      expect(['first', 'second', 'group', 'other'].map(count)).toEqual([5, 5, 5, 5]);
    });

    it('keeps the events of a group while its members are away', async () => {
      const bus = await connect();
      const message = event();
      const away = await bus.subscribe(message, () => undefined, { group: 'jobs' });
      await away.stop();
      await bus.publish(message, { n: 5 });
      const seen: number[] = [];
      await bus.subscribe(message, ({ n }) => void seen.push(n), { group: 'jobs' });
      await until(() => seen.length);
      expect(seen).toEqual([5]);
    });

    it('lets running handlers finish when it closes, and leaves the rest to others', async () => {
      const [bus, other] = [await connect(), await connect()];
      const message = work();
      const started = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      const finished: number[] = [];
      await bus.consume(
        message,
        async ({ n }) => {
          started.resolve();
          await finish.promise;
          finished.push(n);
        },
        { prefetch: 1 },
      );
      for (const n of [0, 1, 2]) await bus.publish(message, { n });
      await started.promise;
      const closing = bus.close();
      const rest: number[] = [];
      await other.consume(message, ({ n }) => void rest.push(n));
      await until(() => rest.length === 2);
      finish.resolve();
      await closing;
      expect(finished).toEqual([0]);
      expect(rest.sort()).toEqual([1, 2]);
      await expect(bus.publish(message, { n: 9 })).rejects.toThrow('closed');
      await expect(bus.ping()).rejects.toThrow();
      await other.ping();
    });
  });
}
