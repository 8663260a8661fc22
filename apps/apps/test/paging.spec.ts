import { app, AppsService } from './apps-service';

let service: AppsService;
beforeAll(async () => {
  service = await AppsService.start();
  for (const id of ['a', 'b', 'c', 'd', 'e'])
    await service.send('POST', '', app(id, '1.0', { description: id < 'c' ? 'low' : 'same' }));
});
afterAll(() => service.stop());

interface Found {
  id: string;
  created: string;
}

const page = async (query: string) => {
  const { body, headers } = await service.send('GET', query);
  const [, next] = /^<\/v3\/apps(.*)>; rel="next"$/.exec(String(headers['link'] ?? '')) ?? [];
  return { found: body.result as Found[], next };
};

it('the links of a list lead through all of it, ties included', async () => {
  for (const start of ['?limit=2&orderBy=id', '?limit=2&orderBy=description&startAfter=l']) {
    const seen: string[] = [];
    for (let next: string | undefined = start; next;) {
      const answer = await page(next);
      seen.push(...answer.found.map(({ id }) => id));
      next = answer.next;
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  }
});

it('a time that was shown finds its record, and leaves it behind', async () => {
  const [first, ...others] = (await page('?orderBy=created&select=created')).found;
  const search = encodeURIComponent(`(created.eq.${first!.created})`);
  expect((await page(`?search=${search}`)).found.map(({ id }) => id)).toEqual([first!.id]);
  const after = await page(`?orderBy=created&select=created&startAfter=${first!.created}`);
  expect(after.found).toEqual(others);
});
