import { flow, PlatformProcess, type Session, systemRecord, TestHost, unique } from '@libs/flows';
import { COUNTING, launches } from '../fixtures/counting-app';
import { end } from '../fixtures/end';

/** What costs a client little and saves it much: the small promises of the public API. */
describe('the public API', () => {
  let platform: PlatformProcess;
  let host: TestHost;
  let owner: Session;
  let system: string;

  beforeAll(async () => {
    host = await TestHost.start();
    platform = await PlatformProcess.start();
    const { given, me } = flow(platform);
    owner = await me();
    system = await given.system({ host });
  });
  afterAll(() => end(platform, [host]));

  it('takes one Idempotency-Key once, over a restart too; another body is 409', async () => {
    const { given, then } = flow(platform);
    const app = await given.app({ host, system, script: COUNTING });
    const body = { name: 'once', appId: app.id, appVersion: app.version };
    const key = { 'idempotency-key': unique('key') };
    const submit = (request: object = body) => owner.send('POST', '/v3/jobs/submit', request, key);
    const [first, second] = await Promise.all([submit(), submit()]);
    expect(first.json.result.uuid).toBe(second.json.result.uuid);
    await platform.kill();
    await platform.start();
    const third = await submit();
    expect([third.status, third.json.result.uuid]).toEqual([first.status, first.json.result.uuid]);
    expect((await submit({ ...body, name: 'other' })).status).toBe(409);
    await then.job(first.json.result.uuid).reaches('FINISHED');
    expect(launches(host, first.json.result.uuid)).toBe(1);
    const jobs = await owner.ask('GET', '/v3/jobs/search?name=once');
    expect(jobs).toHaveLength(1);
    // the key is the user's own
    const other = await platform.as('testuser2');
    const foreign = await other.send('POST', '/v3/jobs/submit', body, key);
    expect(foreign.text).not.toContain(first.json.result.uuid);
  });

  const posts: [string, () => Record<string, unknown>, () => string][] = [
    ['a system', () => systemRecord({ host, canExec: false }), () => '/v3/systems'],
    [
      'an app',
      () => ({ id: unique('app'), version: '1', runtime: 'ZIP', containerImage: '/x.tar.gz' }),
      () => '/v3/apps',
    ],
    [
      'a transfer',
      () => ({
        elements: [{ sourceURI: `svc://${system}/a`, destinationURI: `svc://${system}/b` }],
      }),
      () => '/v3/files/transfers',
    ],
    ['a directory', () => ({ path: unique('dir') }), () => `/v3/files/ops/${system}`],
  ];

  it.each(posts)('replays the first answer for the same key: %s', async (_, record, path) => {
    const body = record();
    const key = { 'idempotency-key': unique('key') };
    const first = await owner.send('POST', path(), body, key);
    const again = await owner.send('POST', path(), body, key);
    expect([first.status, first.message]).toEqual([expect.any(Number), expect.any(String)]);
    expect(first.status).toBeLessThan(300);
    expect([again.status, again.json.result]).toEqual([first.status, first.json.result]);
    const other = await owner.send('POST', path(), { ...record(), ...changed(body) }, key);
    expect(other.status).toBe(409);
  });

  /** Something about a body that makes it another one. */
  const changed = (body: Record<string, unknown>): object =>
    'elements' in body ? { tag: 'other' } : {};

  it('sends an ETag and honours If-Match', async () => {
    const path = `/v3/systems/${system}`;
    const { etag } = (await owner.call('GET', path)).headers;
    expect(etag).toMatch(/^(W\/)?".+"$/);
    const patch = (tag: string) =>
      owner.send('PATCH', path, { description: unique('text') }, { 'if-match': tag });
    expect((await patch('"something else"')).status).toBe(412);
    expect((await patch(etag!)).status).toBe(200);
    expect((await patch(etag!)).status).toBe(412);
    expect((await patch('*')).status).toBe(200);
    expect((await owner.call('GET', path)).headers.etag).not.toBe(etag);
  });

  it('sends an ETag with every single resource', async () => {
    const { given, when, then } = flow(platform);
    const app = await given.app({ host, system, script: 'true' });
    const { uuid } = await when.submit(app);
    await then.job(uuid).reaches('FINISHED');
    const uris = { sourceURI: `svc://${system}/a`, destinationURI: `svc://${system}/b` };
    const transfer = await owner.ask('POST', '/v3/files/transfers', { elements: [uris] });
    for (const path of [
      `/v3/systems/${system}`,
      `/v3/apps/${app.id}`,
      `/v3/apps/${app.id}/${app.version}`,
      `/v3/jobs/${uuid}`,
      `/v3/files/transfers/${transfer.uuid}`,
      '/v3/tenants/dev',
      '/v3/sites/primary',
    ]) {
      const { status, headers } = await owner.call('GET', path);
      expect([path, status, headers.etag]).toEqual([
        path,
        200,
        expect.stringMatching(/^(W\/)?".+"$/),
      ]);
    }
    const old = { 'if-match': '"not this one"' };
    for (const [method, path, body] of [
      ['PATCH', `/v3/apps/${app.id}/${app.version}`, { description: 'other' }],
      ['PATCH', `/v3/jobs/${uuid}/annotation`, { tags: ['other'] }],
      ['POST', `/v3/jobs/${uuid}/hide`, {}],
    ] as const) {
      const { status } = await owner.send(method, path, body, old);
      expect([path, status]).toEqual([path, 412]);
    }
  });

  it('links from page to page of a list until all is seen', async () => {
    const { given } = flow(platform);
    for (let i = 0; i < 5; i++) await given.system({ host, canExec: false });
    const all = await owner.ask('GET', '/v3/systems');
    const seen: string[] = [];
    for (let path: string | undefined = '/v3/systems?limit=2&orderBy=id'; path;) {
      const reply: Awaited<ReturnType<Session['call']>> = await owner.call('GET', path);
      const page = reply.json.result as { id: string }[];
      expect(page.length).toBeLessThanOrEqual(2);
      seen.push(...page.map(({ id }) => id));
      const next: RegExpExecArray | null = /<([^>]+)>\s*;\s*rel="?next"?/.exec(
        String(reply.headers.link ?? ''),
      );
      path = next
        ? new URL(next[1]!, platform.baseUrl()).href.replace(/^https?:\/\/[^/]+/, '')
        : undefined;
      expect(seen.length).toBeLessThanOrEqual(all.length);
    }
    expect(seen).toEqual(all.map(({ id }: { id: string }) => id).sort());
  });

  it('takes the token as Authorization: Bearer, too', async () => {
    const bearer = platform
      .anonymous()
      .with({ headers: { authorization: `Bearer ${owner.token}` } });
    expect((await bearer.call('GET', `/v3/systems/${system}`)).status).toBe(200);
  });

  it('takes traceparent and X-Request-ID in, gives them back, and keeps them with the job and in the logs', async () => {
    const { given, then } = flow(platform);
    const app = await given.app({ host, system, script: 'true' });
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const id = unique('request');
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01`, 'x-request-id': id };
    const body = { name: 'traced', appId: app.id, appVersion: app.version };
    const reply = await owner.send('POST', '/v3/jobs/submit', body, headers);
    expect(reply.headers['x-request-id']).toBe(id);
    expect(reply.headers.traceparent).toContain(trace);
    const record = JSON.stringify(await then.job(reply.json.result.uuid).reaches('FINISHED'));
    expect([record.includes(trace), record.includes(id)]).toEqual([true, true]);
    // the worker's lines belong to the request that submitted the job
    const lines = platform
      .logs()
      .split('\n')
      .filter((line) => line.includes('"jobs-worker"'));
    const mine = lines.filter((line) => line.includes(reply.json.result.uuid));
    expect(mine.length).toBeGreaterThan(0);
    for (const line of mine)
      expect([line.includes(trace), line.includes(id)]).toEqual([true, true]);
    const refused = await owner.call('GET', '/v3/jobs/no-such-job', { headers });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.headers['x-request-id']).toBe(id);
    expect(refused.headers.traceparent).toContain(trace);
  });

  it('sends the events of a job once each, also to somebody who comes back with Last-Event-ID', async () => {
    const { given, when, then } = flow(platform);
    const app = await given.app({ host, system, script: 'sleep 1' });
    const { uuid } = await when.submit(app);
    const path = `/v3/jobs/${uuid}/events`;
    const early: string[] = [];
    let last: string | undefined;
    for await (const event of owner.events(path)) {
      early.push(`${event.id} ${JSON.parse(event.data).newJobStatus}`);
      last = event.id;
      expect(event.id).toBeTruthy();
      if (early.length === 2) break;
    }
    const late: string[] = [];
    for await (const event of owner.events(path, last))
      late.push(`${event.id} ${JSON.parse(event.data).newJobStatus}`);
    await then.job(uuid).reaches('FINISHED');
    const whole: string[] = [];
    for await (const event of owner.events(path))
      whole.push(`${event.id} ${JSON.parse(event.data).newJobStatus}`);
    expect([...early, ...late]).toEqual(whole);
    const statuses = whole.map((line) => line.split(' ')[1]).filter((s) => s !== 'undefined');
    expect(statuses.at(0)).toBe('PENDING');
    expect(statuses.at(-1)).toBe('FINISHED');
    const stranger = await platform.as('testuser2');
    expect([403, 404]).toContain((await stranger.call('GET', path)).status);
  });
});
