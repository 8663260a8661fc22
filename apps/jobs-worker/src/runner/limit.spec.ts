import { Limit } from './limit';

it('lets so many run at once, in their order', async () => {
  const limit = new Limit(2);
  const gates = [1, 2, 3, 4].map(() => Promise.withResolvers<void>());
  const began: number[] = [];
  const runs = gates.map((gate, i) =>
    limit.run(() => {
      began.push(i);
      return gate.promise;
    }),
  );
  expect(began).toEqual([0, 1]);
  expect(limit.free).toBe(0);
  gates[1]!.resolve();
  await runs[1];
  expect(began).toEqual([0, 1, 2]);
  gates[0]!.reject(new Error('no'));
  await expect(runs[0]).rejects.toThrow('no');
  expect(began).toEqual([0, 1, 2, 3]);
  gates[2]!.resolve();
  gates[3]!.resolve();
  await Promise.all(runs.slice(2));
  expect(limit.free).toBe(2);
});
