import { Shutdown } from './shutdown';

it('closes last first, once, whatever fails on the way', async () => {
  const closed: string[] = [];
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const shutdown = new Shutdown();
  shutdown.add(() => closed.push('database'));
  shutdown.add(() => Promise.reject(new Error('broken')));
  shutdown.add(async () => closed.push('services'));
  await Promise.all([shutdown.run(), shutdown.run()]);
  expect(closed).toEqual(['services', 'database']);
  expect(write).toHaveBeenCalledWith('While stopping: broken\n');
  write.mockRestore();
});

it('ends by force what takes too long, and nothing else', async () => {
  const forced: string[] = [];
  const shutdown = new Shutdown();
  shutdown.add(
    () => undefined,
    () => forced.push('never reached'),
  );
  shutdown.add(
    () => new Promise(() => undefined),
    () => forced.push('slow'),
  );
  shutdown.add(
    () => undefined,
    () => forced.push('quick'),
  );
  await shutdown.run(20);
  expect(forced).toEqual(['never reached', 'slow']);
});

it('tells what is still starting, and waits for what dies by force', async () => {
  const seen: string[] = [];
  const shutdown = new Shutdown();
  shutdown.signal.addEventListener('abort', () => seen.push('told'));
  shutdown.add(
    () => new Promise(() => undefined),
    async () => {
      await new Promise((done) => setImmediate(done));
      seen.push('dead');
    },
  );
  shutdown.add(
    () => new Promise(() => undefined),
    () => Promise.reject(new Error('gone already')),
  );
  await shutdown.run(20);
  expect(seen).toEqual(['told', 'dead']);
});
