import { request } from 'undici';
import { transfersProgress } from '@libs/messages';
import { MessageBus } from '@libs/messaging';
import { JobsApi } from './jobs-api';

let api: JobsApi;
let me: ReturnType<JobsApi['as']>;
beforeAll(async () => {
  api = await JobsApi.start();
  me = api.as();
});
afterAll(() => api?.close());

/** Reads a job's events until the stream ends or `enough`. */
async function* follow(uuid: string, last?: string) {
  const headers = { ...me.headers, ...(last && { 'last-event-id': last }) };
  const { body, headers: answered } = await request(`${api.url}/v3/jobs/${uuid}/events`, {
    headers,
  });
  expect(answered['content-type']).toContain('text/event-stream');
  let text = '';
  for await (const part of body) {
    text += String(part);
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      if (field('data'))
        yield { id: field('id'), event: field('event'), data: JSON.parse(field('data')!) };
    }
  }
}

it('tells a job’s history as it happens, and ends with it', async () => {
  const uuid = await me.submit();
  let job = (await api.store.find('dev', uuid))!;
  const seen: string[] = [];
  const ids: string[] = [];
  for await (const { id, data } of follow(uuid)) {
    seen.push(data.newJobStatus);
    ids.push(id!);
    if (data.newJobStatus === 'PENDING') job = (await api.store.move(job, 'PROCESSING_INPUTS'))!;
    if (data.newJobStatus === 'PROCESSING_INPUTS') job = (await api.store.move(job, 'CANCELLED'))!;
    if (data.newJobStatus === 'CANCELLED')
      expect(data).toMatchObject({
        condition: 'CANCELLED_BY_USER',
        jobUuid: uuid,
        jobOwner: 'testuser1',
      });
  }
  expect(seen).toEqual(['PENDING', 'PROCESSING_INPUTS', 'CANCELLED']);
  const rest: string[] = [];
  for await (const { data } of follow(uuid, ids[1])) rest.push(data.newJobStatus);
  expect(rest).toEqual(['CANCELLED']);
  for await (const event of follow(uuid, ids[2])) throw new Error(JSON.stringify(event));
  const share = { grantee: 'testuser2', jobResource: ['JOB_OUTPUT'], jobPermission: 'READ' };
  await me.post(`/${uuid}/share`, share);
  const later: string[] = [];
  for await (const { event } of follow(uuid, ids[2])) later.push(event!);
  expect(later).toEqual(['JOB_SHARE_EVENT']);
});

it('tells the progress of transfers, without an id', async () => {
  const uuid = await me.submit();
  const bus = api.service.get(MessageBus as never) as MessageBus;
  const progress = {
    uuid: 't',
    tenant: 'dev',
    username: 'testuser1',
    tag: `${uuid}:input`,
    status: 'IN_PROGRESS',
    bytesDone: 1,
    bytesTotal: 2,
    filesDone: 0,
    filesTotal: 1,
  };
  for await (const { id, event, data } of follow(uuid)) {
    if (event === 'JOB_NEW_STATUS' && data.newJobStatus === 'PENDING') {
      // the transfers of others are not the job's, whatever they are tagged
      await bus.publish(transfersProgress, { ...progress, bytesDone: 9, username: 'testuser2' });
      await bus.publish(transfersProgress, { ...progress, bytesDone: 9, tenant: 'other' });
      await bus.publish(transfersProgress, progress);
    }
    if (event !== 'progress') continue;
    expect(id).toBeUndefined();
    expect(data).toMatchObject({ purpose: 'input', bytesDone: 1, bytesTotal: 2 });
    break;
  }
});

it('refuses an id that is none', async () => {
  const uuid = await me.submit();
  expect((await me.get(`/${uuid}/events?lastEventId=x`)).status).toBe(400);
});

it('ends its streams when the service stops', async () => {
  const other = await JobsApi.start();
  const user = other.as();
  const uuid = await user.submit();
  const { body } = await request(`${other.url}/v3/jobs/${uuid}/events`, { headers: user.headers });
  const events = body[Symbol.asyncIterator]();
  await events.next();
  const rest = (async () => {
    while (!(await events.next()).done);
    return 'ended';
  })();
  await other.service.close();
  // A connection that was cut instead is an error.
  expect(await rest).toBe('ended');
  await other.close();
});
