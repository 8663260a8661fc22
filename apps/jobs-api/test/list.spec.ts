import { JobsApi } from './jobs-api';

let api: JobsApi;
let me: ReturnType<JobsApi['as']>;
const uuids: Record<string, string> = {};
beforeAll(async () => {
  api = await JobsApi.start();
  me = api.as();
  for (const name of ['b', 'a', 'c']) {
    uuids[name] = await me.submit({
      name,
      tags: [`tag-${name}`],
      nodeCount: name.charCodeAt(0) - 96,
      maxMinutes: 7,
    });
  }
  await me.post(`/${uuids['c']}/cancel`);
  await api.as('testuser2').submit({ name: 'foreign' });
  await api.as('testuser1', 'other').submit({ name: 'elsewhere' });
});
afterAll(() => api?.close());

const names = (answer: { body: { result: { name: string }[] } }) =>
  answer.body.result.map((j) => j.name).join('');

describe('the list', () => {
  it('has the caller’s own jobs in summaries, the latest change last', async () => {
    const { status, body } = await me.get('/list');
    expect([status, names({ body })]).toEqual([200, 'bac']);
    expect(Object.keys(body.result[0]).sort()).toEqual([
      'appId', 'appVersion', 'archiveSystemId', 'condition', 'created', 'ended', 'execSystemId', 'lastUpdated', 'name', 'owner',
      'remoteStarted', 'status', 'tenant', 'uuid',
    ]); // prettier-ignore
    expect(body.metadata).toEqual({
      recordCount: 3,
      recordLimit: -1,
      recordsSkipped: -1,
      orderBy: '',
      startAfter: '',
      totalCount: -1,
    });
  });

  it('is paged', async () => {
    const first = await me.get('/list?limit=2&orderBy=name(desc)&computeTotal=true');
    expect(names(first)).toBe('cb');
    expect(first.body.metadata).toMatchObject({
      recordCount: 2,
      recordLimit: 2,
      totalCount: 3,
      orderBy: 'name(desc)',
    });
    expect(first.headers['link']).toContain('skip=2');
    expect(names(await me.get('/list?limit=2&orderBy=name(desc)&skip=2'))).toBe('a');
    expect(names(await me.get('/list?orderBy=name&startAfter=a'))).toBe('bc');
    expect(names(await me.get('/list?limit=-1'))).toBe('bac');
  });

  it.each(['orderBy=nope', 'limit=x', 'startAfter=a', 'orderBy=name&startAfter=a&skip=1', 'limit=1&limit=2', 'listType=NOPE', 'name=a', 'orderBy=name(up)'])(
    '%s is refused', async (query) => {
      const { status, body } = await me.get(`/list?${query}`);
      expect([status, body.status]).toEqual([400, 'error']);
    }); // prettier-ignore
});

describe('the search', () => {
  it.each([
    ['name=a', 'a'],
    ['name.in=a,b', 'ba'],
    ['status.neq=PENDING', 'c'],
    ['node_count.between=1,2', 'ba'],
    ['nodeCount.gt=1&nodeCount.lt=3', 'b'],
    ['tags.contains=tag-a,tag-c', 'ac'],
    ['name.like=!', 'bac'],
    ['created.gt=2020', 'bac'],
    ['ended.gt=2020', 'c'],
    ['archiveOnAppError=true', 'bac'],
    ['visible.eq=false', ''],
    ['owner=testuser2', ''],
  ])('%s finds "%s"', async (query, expected) => {
    expect(names(await me.get(`/search?${query}`))).toBe(expected);
  });

  it.each([
    [["name = 'a' OR", "name = 'b'"], 'ba'],
    [["name LIKE 'a%' AND nodeCount <= 1"], 'a'],
    [["status IN ('CANCELLED', 'FAILED')"], 'c'],
    [["name NOT LIKE '_'"], ''],
  ])('%j finds "%s"', async (search, expected) => {
    expect(names(await me.post('/search', { search }))).toBe(expected);
  });

  it('answers what was selected, the uuid always', async () => {
    const one = await me.get('/search?name=a&select=nodeCount,tags,parameterSet,archiveOnAppError');
    expect(one.body.result[0]).toEqual({
      uuid: uuids['a'], nodeCount: 1, tags: ['of-app', 'tag-a'], parameterSet: expect.stringContaining('appArgs'), archiveOnAppError: true,
    }); // prettier-ignore
    const all = await me.get('/search?name=a&select=allAttributes');
    expect(all.body.result[0]).toMatchObject({
      fileInputs: '[]',
      createdby: 'testuser1',
      maxMinutes: 7,
    });
    expect((await me.get('/search?name=none')).body.message).toMatch(/^JOBS_SEARCH_NO_JOBS_FOUND /);
    expect(one.body.message).toMatch(/^JOBS_SEARCH_RESULT_LIST_RETRIEVED /);
  });

  it.each(['nope=1', 'name.bigger=1', 'nodeCount=x', 'select=nope', 'listType=x', "name.eq=%00", 'fileInputs=x'])('%s is refused', async (query) => {
    expect((await me.get(`/search?${query}`)).status).toBe(400);
  }); // prettier-ignore

  it.each([{}, { search: [] }, { search: 'x' }, { search: ["name = 'a'; drop table jobs"] }, { search: ['name = name'] }, { search: ["name = 'a'"], x: 1 }])('%j is refused', async (body) => {
    expect((await me.post('/search', body)).status).toBe(400);
  }); // prettier-ignore
});
