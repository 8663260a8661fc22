import fc from 'fast-check';
import { Database } from '@libs/database';
import {
  brokenSearches,
  HOSTILE,
  searches,
  type GeneratedSearch,
  type SearchField,
} from '@libs/kit';
import { listQuery, mentions } from '@libs/search';
import { listSpec } from '../src/domain/list-spec';
import { AppsListStore } from '../src/store/apps-list.store';
import { app, AppsService } from './apps-service';

const FINDER = 'finder';
/** Every searchable attribute is tried. */
const FIELDS = listSpec.attributes.filter((a) => a.search) as unknown as SearchField[];

type Found = Record<string, unknown> & { id: string; version: string; created: string };
const nameOf = ({ id, version }: { id: string; version: string }) => `${id} ${version}`;

let service: AppsService;
/** As the service shows them, scalars of jobAttributes beside the others. */
let records: Found[];

beforeAll(async () => {
  service = await AppsService.start();
  const pick = (n: number) => HOSTILE[n % HOSTILE.length]!;
  for (let n = 0; n < 60; n++) {
    const jobAttributes = {
      ...(n % 3 && { execSystemId: 'exec', execSystemExecDir: `/scratch/${pick(n)}` }),
      ...(n % 4 && { description: pick(n + 1), cmdPrefix: pick(n + 2) }),
      ...(n % 5 === 0 && {
        archiveSystemId: 'store',
        archiveSystemDir: `/a/${n}`,
        mpiCmd: 'mpirun',
      }),
      ...(n % 6 === 0 && { archiveMode: 'SKIP_ON_FAIL', isMpi: true }),
      nodeCount: 1 + (n % 4),
      memoryMB: 100 * (1 + (n % 7)),
    };
    const more = {
      jobAttributes,
      ...(n % 2 && { description: pick(n), runtimeVersion: `v${n % 10}` }),
      tags: n % 4 ? [pick(n), pick(n + 5)].filter((tag, i, all) => all.indexOf(tag) === i) : [],
      maxJobs: n % 3 ? n : -1,
      strictFileInputs: n % 2 === 0,
      locked: n % 9 === 0,
      versionEnabled: n % 8 !== 0,
      enabled: n % 7 !== 0,
    };
    const body = app(`app-${n % 40}`, n < 40 ? '1.0' : `2.${n}`, more);
    const { status, text } = await service.send('POST', '', body, service.as(FINDER));
    if (status !== 201) throw new Error(text);
  }
  await service.send('POST', '/share_public/app-3', undefined, service.as(FINDER));
  await service.send('POST', '/share/app-5', { users: ['guest', 'other'] }, service.as(FINDER));
  await service.send('POST', '', app('foreign', '1.0', { tags: ['a'] }), service.as('somebody'));
  const all = '?search=(version.like.*)&limit=0&select=allAttributes';
  const { body } = await service.send('GET', all, undefined, service.as(FINDER));
  records = (body.result as (Found & { jobAttributes: Record<string, unknown> })[]).map(
    ({ jobAttributes: { description, tags: _, ...job }, ...rest }) => ({
      ...job,
      jobDescription: description,
      ...rest,
    }),
  );
});
afterAll(() => service.stop());

/** Without a condition on the version only the one that was made last of each app. */
function expected(search: GeneratedSearch): string[] {
  const latest = new Map<string, Found>();
  for (const one of records)
    if (!latest.has(one.id) || latest.get(one.id)!.created < one.created) latest.set(one.id, one);
  const among = search.mentions('version') ? records : [...latest.values()];
  return among.filter(search.holds).map(nameOf).sort();
}

async function overHttp({ query, conditions, body }: Omit<GeneratedSearch, 'holds' | 'mentions'>) {
  const params = new URLSearchParams({ limit: '0' });
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) params.append(name, one);
  const path = `${conditions || body ? '/search' : ''}?${params.toString()}`;
  return service.send(body ? 'POST' : 'GET', path, body, service.as(FINDER));
}

it('there is something to find by every attribute', () => {
  expect(records).toHaveLength(60);
  const never = ['dynamicExecSystem', 'execSystemInputDir', 'execSystemOutputDir'];
  const unset = ['execSystemLogicalQueue', 'dtnSystemInputDir', 'dtnSystemOutputDir'];
  const empty = FIELDS.filter(({ name }) => !records.some((one) => one[name] != null));
  for (const { name } of empty) expect([...never, ...unset]).toContain(name);
});

it('finds what a walk over the tree finds, whatever is asked in whichever language', async () => {
  const store = service.service.get(AppsListStore);
  await fc.assert(
    fc.asyncProperty(searches(FIELDS, records), async (search) => {
      const { query: raw, conditions, body } = search;
      const query = listQuery({ ...raw, limit: '0', computeTotal: 'true' }, listSpec, {
        conditions,
        body,
      });
      const allVersions = mentions(query.where, 'version');
      const visible = { owner: FINDER, showDeleted: false, allVersions };
      const { rows, total } = await store.list('dev', visible, query);
      const names = expected(search);
      expect(rows.map(nameOf).sort()).toEqual(names);
      expect(total).toBe(names.length);
    }),
    { numRuns: 1200 },
  );
});

it('finds the same over HTTP', async () => {
  await fc.assert(
    fc.asyncProperty(searches(FIELDS, records), async (search) => {
      const { status, body, text } = await overHttp(search);
      expect([status, status === 200 ? '' : text]).toEqual([200, '']);
      expect((body.result as Found[]).map(nameOf).sort()).toEqual(expected(search));
    }),
    { numRuns: 200 },
  );
});

it('refuses what is wrong with 400 and the place, and changes nothing', async () => {
  const rows = () =>
    service.service
      .get(Database)
      .query(`SELECT md5(string_agg(v::text, '' ORDER BY seq_id)) FROM apps_versions v`);
  const before = await rows();
  await fc.assert(
    fc.asyncProperty(brokenSearches(FIELDS, records), async (search) => {
      const { status, body } = await overHttp(search);
      expect([status, body.message]).toEqual([
        400,
        expect.stringMatching(/^APPLIB_SEARCH_ERROR .*\bat character \d+ of search/s),
      ]);
    }),
    { numRuns: 300 },
  );
  expect(await rows()).toEqual(before);
});
