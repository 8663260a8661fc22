import { createHash, randomBytes } from 'node:crypto';
import { request } from 'undici';
import type { Job } from '@libs/jobs-store';
import { JobsApi } from './jobs-api';

let api: JobsApi;
let me: ReturnType<JobsApi['as']>;
beforeAll(async () => {
  api = await JobsApi.start();
  me = api.as();
});
afterAll(() => api?.close());

/** A job that ran, with files where its outputs are then. */
async function ended(status: 'FINISHED' | 'FAILED', outcome: string, request: object = {}) {
  const uuid = await me.submit({ archiveSystemId: 'store', ...request });
  let job: Job = (await api.store.find('dev', uuid))!;
  const via = [
    'PROCESSING_INPUTS',
    'STAGING_INPUTS',
    'STAGING_JOB',
    'SUBMITTING_JOB',
    'QUEUED',
    'RUNNING',
  ] as const;
  job = (await api.store.move(job, 'ARCHIVING', {
    via,
    patch: { remoteOutcome: outcome as never },
  }))!;
  job = (await api.store.move(job, status, { condition: 'JOB_REMOTE_OUTCOME_ERROR' }))!;
  return job;
}
const put = (job: Job, archived: boolean, name: string, content: Buffer | string) => {
  const dir = archived ? `store:${job.archiveSystemDir}` : `host:${job.execSystemOutputDir}`;
  api.files[`${dir}/${name}`] = Buffer.from(content);
};
const listed = async (uuid: string, path = '') =>
  (await me.get(`/${uuid}/output/list${path}`)).body.result
    ?.map((i: { name: string }) => i.name)
    .join(' ');

describe('outputs', () => {
  it.each([
    ['FINISHED', 'FINISHED', {}, true],
    ['FAILED', 'FAILED', {}, true],
    ['FAILED', 'FAILED_SKIP_ARCHIVE', {}, false],
    ['FINISHED', 'FINISHED', { archiveMode: 'NEVER' }, false],
  ] as const)(
    'of a job that %s with %s and %j are archived: %s',
    async (status, outcome, request, archived) => {
      const job = await ended(status, outcome, request);
      put(job, archived, 'out.txt', 'x');
      expect(await listed(job.uuid)).toBe('out.txt');
    },
  );

  it('are listed with everything below, or one level in pages', async () => {
    const job = await ended('FINISHED', 'FINISHED');
    for (const name of ['a', 'b', 'c', 'd/e']) put(job, true, name, name);
    expect(await listed(job.uuid)).toBe('a b c e');
    expect(await listed(job.uuid, '/')).toBe('a b c e');
    expect(await listed(job.uuid, '/d')).toBe('e');
    expect(await listed(job.uuid, '?limit=2')).toBe('a b');
    expect(await listed(job.uuid, '?skip=1')).toBe('b c d');
    expect(await listed(job.uuid, '?skip=1&recurse=true')).toBe('b c e');
    expect((await me.get(`/${job.uuid}/output/list/none`)).status).toBe(404);
  });

  it.each(['..%2Fx', 'a%2F..%2F..%2Fb', 'a%0Ab'])('%s is refused', async (path) => {
    const job = await ended('FINISHED', 'FINISHED');
    expect((await me.get(`/${job.uuid}/output/list/${path}`)).status).toBe(400);
    expect((await me.get(`/${job.uuid}/output/download/${path}`)).status).toBe(400);
  });

  it('of a job that has not ended are shown only if asked for', async () => {
    const uuid = await me.submit();
    const job = (await api.store.find('dev', uuid))!;
    put(job, false, 'early', 'x');
    expect((await me.get(`/${uuid}/output/list`)).body.message).toMatch(
      /^JOBS_JOB_NOT_TERMINATED /,
    );
    expect(await listed(uuid, '?allowIfRunning=true')).toBe('early');
  });

  it('come down byte for byte', async () => {
    const job = await ended('FINISHED', 'FINISHED');
    const content = randomBytes(8 * 1024 * 1024);
    put(job, true, 'big ü.bin', content);
    const url = `${api.url}/v3/jobs/${job.uuid}/output/download/big%20%C3%BC.bin`;
    const answer = await request(url, { headers: me.headers });
    const hash = createHash('sha256');
    for await (const part of answer.body) hash.update(part as Buffer);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'cache-control': 'private, max-age=3600',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="big _.bin"; filename*=UTF-8''big%20%C3%BC.bin`,
    });
  });

  it('come down from where a broken download ended', async () => {
    const job = await ended('FINISHED', 'FINISHED');
    put(job, true, 'f', '0123456789');
    const rest = (range: string) =>
      me.get(`/${job.uuid}/output/download/f`, { range, 'if-range': '"mine"' });
    const part = await rest('bytes=4-');
    expect([part.status, part.text]).toEqual([206, '456789']);
    expect(part.headers).toMatchObject({ 'content-range': 'bytes 4-9/10', etag: '"mine"' });
    const beyond = await rest('bytes=10-');
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */10']);
    const zip = await me.get(`/${job.uuid}/output/download/f?compress=true`, { range: 'bytes=4-' });
    expect(zip.status).toBe(200);
  });

  it('of a running job are asked for anew each time', async () => {
    const uuid = await me.submit();
    put((await api.store.find('dev', uuid))!, false, 'log', 'x');
    const url = `${api.url}/v3/jobs/${uuid}/output/download/log?allowIfRunning=true`;
    const { headers, body } = await request(url, { method: 'HEAD', headers: me.headers });
    expect([headers['cache-control'], await body.text()]).toEqual(['no-cache', '']);
  });

  it('come as a zip when they are a directory or it is asked for', async () => {
    const job = await ended('FINISHED', 'FINISHED');
    put(job, true, 'd/a', 'x');
    put(job, true, 'empty/', '');
    const dir = job.archiveSystemDir.slice(1);
    const zip = await me.get(`/${job.uuid}/output/download/d`);
    expect([zip.text, zip.headers['content-disposition']]).toEqual([
      `PK zip of ${dir}/d`,
      'attachment; filename="d.zip"',
    ]);
    expect((await me.get(`/${job.uuid}/output/download`)).text).toBe(`PK zip of ${dir}`);
    expect((await me.get(`/${job.uuid}/output/download/d/a?compress=true`)).text).toMatch(/^PK/);
    const empty = await me.get(`/${job.uuid}/output/download/empty`);
    expect([empty.status, empty.body.message]).toEqual([
      200,
      expect.stringMatching(/^JOBS_EMPTY_DIR_FOR_DOWNLOAD /),
    ]);
    expect((await me.get(`/${job.uuid}/output/download/d?format=tar`)).status).toBe(400);
  });
});
