import fc from 'fast-check';
import { Database } from '@libs/database';
import {
  brokenSearches,
  HOSTILE,
  searches,
  type GeneratedSearch,
  type SearchField,
} from '@libs/kit';
import { listQuery } from '@libs/search';
import { listSpec } from '../src/domain/list-spec';
import { SystemsListStore } from '../src/store/systems-list.store';
import { executing, linux, SystemsService } from './systems-service';

const FINDER = 'finder';
/** Every searchable attribute is tried. */
const FIELDS = listSpec.attributes.filter((a) => a.search) as unknown as SearchField[];

type Found = Record<string, unknown> & { id: string };
const names = (found: { id: string }[]) => found.map(({ id }) => id).sort();

let service: SystemsService;
/** As the service shows them. */
let records: Found[];

beforeAll(async () => {
  service = await SystemsService.start();
  const pick = (n: number) => HOSTILE[n % HOSTILE.length]!;
  for (let n = 0; n < 50; n++) {
    const executes = n % 3 === 0;
    const more = {
      host: ['a.example.org', 'A.example.org', 'b-1.example.org', '10.0.0.7'][n % 4],
      ...(n % 2 && { description: pick(n), importRefId: `ref-${n % 6}` }),
      ...(n % 3 === 1 && { effectiveUserId: `runner${n % 5}` }),
      ...(executes && { ...executing, mpiCmd: pick(n), jobMaxJobs: n, enableCmdPrefix: true }),
      tags: n % 4 ? [pick(n), pick(n + 5)].filter((tag, i, all) => all.indexOf(tag) === i) : [],
      port: n % 5 ? 2200 + n : -1,
      enabled: n % 7 !== 0,
      allowChildren: n % 6 === 0,
      rootDir: `/data/${n % 9}`,
    };
    await service.made(linux(`sys-${n}`, more), FINDER);
  }
  const as = service.as(FINDER);
  const keys = { publicKey: 'p', privateKey: 'k', loginUser: 'login' };
  await service.send('POST', '/credential/sys-2/user/finder?skipCredentialCheck=true', keys, as);
  await service.send('POST', '/share_public/sys-3', undefined, as);
  await service.send('POST', '/share/sys-5', { users: ['guest', 'other'] }, as);
  await service.made(linux('foreign'), 'somebody');
  records = await service.result('?limit=0&select=allAttributes', FINDER);
});
afterAll(() => service.stop());

const expected = (search: GeneratedSearch) => names(records.filter(search.holds));

async function overHttp({ query, conditions, body }: Omit<GeneratedSearch, 'holds' | 'mentions'>) {
  const params = new URLSearchParams({ limit: '0' });
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) params.append(name, one);
  const path = `${conditions || body ? '/search' : ''}?${params.toString()}`;
  return service.send(body ? 'POST' : 'GET', path, body, service.as(FINDER));
}

it('finds what a walk over the tree finds, whatever is asked in whichever language', async () => {
  expect(records).toHaveLength(50);
  const store = service.service.get(SystemsListStore);
  await fc.assert(
    fc.asyncProperty(searches(FIELDS, records), async (search) => {
      const { query: raw, conditions, body } = search;
      const query = listQuery({ ...raw, limit: '0', computeTotal: 'true' }, listSpec, {
        conditions,
        body,
      });
      const visible = { owner: FINDER, showDeleted: false };
      const { rows, total } = await store.list('dev', FINDER, visible, query);
      expect(names(rows)).toEqual(expected(search));
      expect(total).toBe(rows.length);
    }),
    { numRuns: 1200 },
  );
});

it('finds the same over HTTP', async () => {
  await fc.assert(
    fc.asyncProperty(searches(FIELDS, records), async (search) => {
      const { status, body, text } = await overHttp(search);
      expect([status, status === 200 ? '' : text]).toEqual([200, '']);
      expect(names(body.result)).toEqual(expected(search));
    }),
    { numRuns: 200 },
  );
});

it('refuses what is wrong with 400 and the place, and changes nothing', async () => {
  const rows = () =>
    service.service
      .get(Database)
      .query(`SELECT md5(string_agg(s::text, '' ORDER BY seq_id)) FROM systems s`);
  const before = await rows();
  await fc.assert(
    fc.asyncProperty(brokenSearches(FIELDS, records), async (search) => {
      const { status, body } = await overHttp(search);
      expect([status, body.message]).toEqual([
        400,
        expect.stringMatching(/^SYSLIB_SEARCH_ERROR .*\bat character \d+ of search/s),
      ]);
    }),
    { numRuns: 300 },
  );
  expect(await rows()).toEqual(before);
});
