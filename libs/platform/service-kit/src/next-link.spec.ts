import { reply, withPage, type ListMetadata, type PageHint } from '@libs/envelope';
import { nextLink } from './next-link';

const records = [
  { id: 'a', owner: 'u' },
  { id: 'b', owner: 'u' },
];
const link = (query: Record<string, string>, given: Partial<ListMetadata>, hint: PageHint) => {
  const metadata = { recordCount: 2, recordLimit: -1, recordsSkipped: -1, totalCount: -1 };
  const whole = { orderBy: '', startAfter: '', ...metadata, ...given };
  const url = `/v3/things?${new URLSearchParams(query).toString()}`;
  const found = nextLink(url, reply('A', 'b', records, { metadata: withPage(whole, hint) }));
  const [, target] = /^<(.*)>; rel="next"$/.exec(found ?? '') ?? [];
  return target && Object.fromEntries(new URL(target, 'http://x').searchParams);
};

it('leads on from a page that is full, given or by default', () => {
  expect(link({}, {}, { limit: 2, keyed: false })).toEqual({ skip: '2' });
  expect(link({}, {}, { limit: 3, keyed: false })).toBeUndefined();
  expect(
    link({ limit: '0' }, { recordLimit: 0 }, { limit: undefined, keyed: true }),
  ).toBeUndefined();
});

it('leads on by the offset where a list is paged so', () => {
  const hint = { limit: 2, keyed: false, offset: 6 };
  expect(link({ offset: '6', x: 'y' }, {}, hint)).toEqual({ offset: '8', x: 'y' });
  expect(link({}, {}, { ...hint, limit: 3 })).toBeUndefined();
});

it('goes on after the last record where the first key tells records apart', () => {
  const given = { orderBy: 'id(asc),owner', startAfter: '0' };
  expect(link({ ...given, limit: '2' }, given, { limit: 2, keyed: true })).toEqual({
    ...given,
    limit: '2',
    startAfter: 'b',
  });
});

it('loses no record that ties with the last one of the page', () => {
  const given = { orderBy: 'owner(DESC)', startAfter: 'a~(b)' };
  const page = { limit: 2, keyed: false };
  expect(link(given, given, page)).toEqual({
    orderBy: 'owner(DESC)',
    skip: '2',
    search: '(owner.lt.a\\~\\(b\\))',
  });
  const search = 'host.eq.x';
  expect(link({ ...given, search }, given, page)).toMatchObject({
    search: '(host.eq.x)~(owner.lt.a\\~\\(b\\))',
  });
  expect(link(given, { orderBy: 'canExec', startAfter: 'false' }, page)).toBeUndefined();
});
