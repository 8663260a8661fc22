import type { Job } from '@libs/jobs-store';
import { call } from '@libs/kit';
import { JobsApi } from './jobs-api';

let api: JobsApi;
let me: ReturnType<JobsApi['as']>;
beforeAll(async () => {
  api = await JobsApi.start();
  me = api.as();
});
afterAll(() => api?.close());

const job = async (uuid: string) => (await api.store.find('dev', uuid))!;
const moved = async (uuid: string, ...to: Parameters<typeof api.store.move>[1][]) => {
  let now: Job = await job(uuid);
  for (const status of to)
    now = (await api.store.move(now, status, { condition: 'JOB_LAUNCH_FAILURE' }))!;
  return now;
};

describe('one job', () => {
  it('is answered with status, history and a tag that changes with it', async () => {
    const uuid = await me.submit();
    const first = await me.get(`/${uuid}`);
    expect(first.status).toBe(200);
    const tag = String(first.headers['etag']);
    const cancel = (ifMatch: string) =>
      me.post(`/${uuid}/cancel`, undefined, { 'If-Match': ifMatch });
    expect((await cancel('"other"')).status).toBe(412);
    const same = await me.get(`/${uuid}`, { 'If-None-Match': tag });
    expect(same.status).toBe(304);
    await moved(uuid, 'PROCESSING_INPUTS', 'FAILED');
    expect((await me.get(`/${uuid}`, { 'If-None-Match': tag })).status).toBe(200);
    expect((await me.get(`/${uuid}/status`)).body.result).toEqual({
      status: 'FAILED',
      condition: 'JOB_LAUNCH_FAILURE',
    });
    const { body } = await me.get(`/${uuid}/history`);
    expect(body.metadata).toMatchObject({
      recordCount: 4,
      recordLimit: 100,
      recordsSkipped: 0,
      totalCount: -1,
    });
    expect(body.result.map((e: { eventDetail: string }) => e.eventDetail)).toEqual([
      'PENDING', 'PROCESSING_INPUTS', 'FINAL_MESSAGE', 'FAILED',
    ]); // prettier-ignore
    expect(JSON.parse(body.result[3].description)).toMatchObject({
      jobName: 'a job', jobUuid: uuid, jobOwner: 'testuser1', newJobStatus: 'FAILED', oldJobStatus: 'PROCESSING_INPUTS',
      condition: 'JOB_LAUNCH_FAILURE', blockedCount: 0,
    }); // prettier-ignore
    expect((await me.get(`/${uuid}/history?limit=1&skip=3`)).body.result).toHaveLength(1);
    expect((await me.get(`/${uuid}/history?limit=x`)).status).toBe(400);
  });

  it.each(['unknown-007', "'--", 'a%20b', 'x'.repeat(500)])('%s is not found', async (uuid) => {
    for (const path of [
      '',
      '/status',
      '/history',
      '/events',
      '/output/list',
      '/resubmit_request',
    ]) {
      expect((await me.get(`/${uuid}${path}`)).status).toBe(404);
    }
    expect((await me.post(`/${uuid}/cancel`)).status).toBe(404);
  });

  it('is there for its owner, its submitter and tenant admins, and for nobody else', async () => {
    const uuid = await me.submit();
    const reading = [
      '',
      '/status',
      '/history',
      '/events',
      '/output/list',
      '/output/download/x',
      '/resubmit_request',
    ];
    for (const [user, tenant] of [
      ['testuser2', 'dev'],
      ['testuser1', 'other'],
    ] as const) {
      for (const path of reading)
        expect((await api.as(user, tenant).get(`/${uuid}${path}`)).status).toBe(404);
      for (const path of ['/cancel', '/hide', '/unhide', '/resubmit', '/sendEvent']) {
        const body = path === '/sendEvent' ? { eventData: 'x' } : undefined;
        expect((await api.as(user, tenant).post(`/${uuid}${path}`, body)).status).toBe(404);
      }
      expect((await api.as(user, tenant).patch(`/${uuid}/annotation`, {})).status).toBe(404);
    }
    api.double.security.makeAdmin('dev', 'testadmin');
    expect((await api.as('testadmin').get(`/${uuid}`)).status).toBe(200);
  });

  it('may be shared for reading; acting on it is refused then', async () => {
    const uuid = await me.submit();
    const given = { grantee: 'testuser3', jobResource: ['JOB_HISTORY'], jobPermission: 'READ' };
    expect((await me.post(`/${uuid}/share`, given)).status).toBe(200);
    expect((await me.get(`/${uuid}/share`)).body.result).toMatchObject([
      { jobUuid: uuid, createdby: 'testuser1', grantee: 'testuser3', jobResource: 'JOB_HISTORY' },
    ]);
    const friend = api.as('testuser3');
    expect((await friend.get(`/${uuid}`)).status).toBe(200);
    for (const part of ['output/list?allowIfRunning=true', 'output/download/x', 'resubmit_request'])
      expect((await friend.get(`/${uuid}/${part}`)).status).toBe(403);
    for (const action of ['cancel', 'hide', 'resubmit'])
      expect((await friend.post(`/${uuid}/${action}`)).status).toBe(403);
    const list = (type: string) =>
      friend
        .get(`/list?listType=${type}`)
        .then((a) => a.body.result.map((j: { uuid: string }) => j.uuid));
    expect(await list('SHARED_JOBS')).toEqual([uuid]);
    expect(await list('MY_JOBS')).toEqual([]);
    expect(await list('ALL_JOBS')).toEqual([uuid]);
    expect((await friend.get(`/${uuid}/share`)).status).toBe(403);
    expect((await me.post(`/${uuid}/share`, { ...given, jobResource: [] })).status).toBe(400);
    const events = (await me.get(`/${uuid}/history`)).body.result;
    expect(events.at(-1).eventDetail).toBe('SHARE_JOB_HISTORY_READ');
    const back = await call(`${api.url}/v3/jobs/${uuid}/share/testuser3`, {
      method: 'DELETE',
      headers: me.headers,
    });
    expect(back.status).toBe(200);
    expect((await friend.get(`/${uuid}`)).status).toBe(404);
  });
});

describe('cancel', () => {
  it('ends at once what nobody works on, twice is an error', async () => {
    const uuid = await me.submit();
    const { status, body } = await me.post(`/${uuid}/cancel`);
    expect([status, body.message]).toEqual([
      200,
      expect.stringMatching(/^JOBS_JOB_CANCEL_ACCEPTED /),
    ]);
    expect(body.result.message).toContain('CANCELLED');
    expect(await job(uuid)).toMatchObject({ status: 'CANCELLED', condition: 'CANCELLED_BY_USER' });
    const again = await me.post(`/${uuid}/cancel`);
    expect([again.status, again.body.message]).toEqual([
      409,
      expect.stringMatching(/^JOBS_JOB_IN_TERMINAL_STATE /),
    ]);
  });

  it('of a running job is stored on its row', async () => {
    const uuid = await me.submit();
    await moved(uuid, 'PROCESSING_INPUTS', 'STAGING_INPUTS');
    expect((await me.post(`/${uuid}/cancel`)).status).toBe(200);
    expect((await job(uuid)).cancelRequested).toBeInstanceOf(Date);
    expect((await job(uuid)).status).toBe('STAGING_INPUTS');
  });
});

describe('hiding', () => {
  it('takes an ended job out of sight, and back', async () => {
    const uuid = await me.submit();
    expect((await me.post(`/${uuid}/hide`)).status).toBe(409);
    await moved(uuid, 'CANCELLED');
    expect((await me.post(`/${uuid}/hide`)).body.message).toMatch(/^JOBS_JOB_CHANGED_VISIBILITY /);
    expect((await me.post(`/${uuid}/hide`)).body.message).toMatch(
      /^JOBS_JOB_UNCHANGED_VISIBILITY /,
    );
    for (const path of ['', '/status', '/history', '/output/list']) {
      const { status, body } = await me.get(`/${uuid}${path}`);
      expect([status, body.message]).toEqual([
        404,
        expect.stringMatching(/^JOBS_JOB_NOT_VISIBLE /),
      ]);
    }
    expect((await me.get(`/search?uuid=${uuid}`)).body.result).toEqual([]);
    expect((await me.post(`/${uuid}/resubmit`)).status).toBe(201);
    expect((await me.post(`/${uuid}/unhide`)).status).toBe(200);
    expect((await me.get(`/${uuid}`)).status).toBe(200);
  });
});

describe('annotations', () => {
  it('are added to or replaced, at any time', async () => {
    const uuid = await me.submit({ tags: ['x'], notes: { a: 1 } });
    const patched = await me.patch(`/${uuid}/annotation`, { tags: ['b', 'x'], notes: { b: 2 } });
    expect(patched.body.result).toEqual({
      uuid,
      tags: ['b', 'of-app', 'x'],
      notes: { a: 1, b: 2 },
    });
    expect(patched.body.message).toMatch(/^JOBS_JOB_ANNOTATION_PATCHED /);
    const replaced = await me.put(`/${uuid}/annotations`, { tags: [] });
    expect(replaced.body.result).toEqual({ uuid, tags: [], notes: { a: 1, b: 2 } });
    const stale = { 'If-Match': '"stale"' };
    expect((await me.patch(`/${uuid}/annotation`, { tags: ['z'] }, stale)).status).toBe(412);
    expect((await me.put(`/${uuid}/annotation`, { notes: { x: 'y'.repeat(70_000) } })).status).toBe(
      400,
    );
    expect((await me.patch(`/${uuid}/annotation`, { other: 1, tags: [''] })).body.message).toMatch(
      /other.*tags/,
    );
  });
});

describe('user events', () => {
  it('go into the history as they came', async () => {
    const uuid = await me.submit();
    expect((await me.post(`/${uuid}/sendEvent`, { eventData: 'half way' })).status).toBe(200);
    expect((await me.get(`/${uuid}/history`)).body.result[1]).toMatchObject({
      event: 'JOB_USER_EVENT', eventDetail: 'DEFAULT', description: 'half way',
    }); // prettier-ignore
    expect(
      (await me.post(`/${uuid}/sendEvent`, { eventData: '', eventDetail: 'a b' })).body.message,
    ).toMatch(/eventData.*eventDetail/);
    await moved(uuid, 'CANCELLED');
    expect((await me.post(`/${uuid}/sendEvent`, { eventData: 'late' })).status).toBe(400);
  });
});

it('answers its probes without a token', async () => {
  expect((await call(`${api.url}/v3/jobs/healthcheck`)).status).toBe(200);
  expect((await call(`${api.url}/v3/jobs/readycheck`)).status).toBe(200);
  expect(
    (await call(`${api.url}/v3/jobs/openapi.json`)).body.paths['/v3/jobs/submit'],
  ).toBeDefined();
});
