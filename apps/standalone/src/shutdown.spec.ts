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
