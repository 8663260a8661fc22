import { flow, PlatformProcess, type Session, TestHost, unique } from '@libs/flows';
import { end } from '../fixtures/end';
import { isPublic, nameOf } from '../fixtures/public-routes';
import { request, type Route, routes, sample } from '../fixtures/routes';
import { decode, forged, signed, unsigned } from '../fixtures/tokens';

const ALL = routes();
const CLOSED = ALL.filter((route) => !isPublic(route));

describe('every route of every service', () => {
  let platform: PlatformProcess;
  let host: TestHost;

  beforeAll(async () => {
    host = await TestHost.start();
    platform = await PlatformProcess.start();
  });
  afterAll(() => end(platform, [host]));

  const knock = (route: Route, by: Session, values?: Record<string, string>) => {
    const path = request(route, values);
    if (route.upload) return by.upload(path, 'uploaded');
    if (!route.body) return by.call(route.method, path);
    // what a schema cannot say of a native operation
    const argument = { operation: 'CHMOD', argument: '755' };
    const body = sample(route.body) as object;
    return by.send(route.method, path, 'argument' in body ? { ...body, ...argument } : body);
  };
  /** The routes that did not answer as they must, with what they answered. */
  const wrong = async (list: Route[], by: Session, right: (status: number) => boolean) => {
    const found: string[] = [];
    for (const route of list) {
      const { status, message } = await knock(route, by);
      if (!right(status)) found.push(`${nameOf(route)} answered ${status} ${message}`);
    }
    return found;
  };
  const refused = (list: Route[], by: Session) => wrong(list, by, (status) => status === 401);

  it('is in the list: the documents of all services are there', () => {
    const services = new Set(ALL.map((route) => route.service));
    expect([...services].sort()).toEqual(
      expect.arrayContaining(['apps', 'files', 'jobs-api', 'security-kernel', 'systems', 'tokens']),
    );
    expect(CLOSED.length).toBeGreaterThan(50);
  });

  it('answers 401 without a token', async () => {
    expect(await refused(CLOSED, platform.anonymous())).toEqual([]);
  });

  it('answers 401 to the token of another tenant', async () => {
    const other = await platform.as('admin', 'admin');
    const intruder = platform.anonymous('dev').with({ token: other.token });
    expect(await refused(CLOSED, intruder)).toEqual([]);
    const { token } = await platform.as('testuser1');
    expect(await refused(CLOSED, platform.anonymous('admin').with({ token }))).toEqual([]);
  });

  it('answers 401 to an expired token, rightly signed', async () => {
    // the one key a test can sign with is that of the site's own tenant
    const { token } = await platform.as('admin', 'admin');
    const { siteAdminPrivateKey } = platform.secrets();
    const seconds = Math.floor(Date.now() / 1000);
    const until = (exp: number) => {
      const { header, claims } = decode(token!);
      return signed({ header, claims: { ...claims, exp } }, siteAdminPrivateKey);
    };
    const expired = platform.anonymous('admin').with({ token: until(seconds - 3600) });
    expect(await refused(CLOSED, expired)).toEqual([]);
    // the same made-up token is good while it lasts: it was the age that was refused
    const alive = platform.anonymous('admin').with({ token: until(seconds + 3600) });
    expect((await alive.call('GET', '/v3/systems')).status).toBe(200);
  });

  it('answers 401 to a token signed with another key, not signed, or no token at all', async () => {
    const { token } = await platform.as('testuser1');
    for (const bad of [forged(token!), unsigned(token!), 'nonsense', `${token}x`])
      expect(await refused(CLOSED, platform.anonymous().with({ token: bad }))).toEqual([]);
  });

  it('answers 401 to a user who pretends to be a service', async () => {
    const { token } = await platform.as('testuser1');
    const headers = { [platform.header('Tenant')]: 'dev', [platform.header('User')]: 'testuser2' };
    expect(await refused(CLOSED, platform.anonymous().with({ token, headers }))).toEqual([]);
  });

  it('never answers 500 to somebody who may call it, whatever is missing', async () => {
    const user = await platform.as('testuser1');
    expect(await wrong(ALL, user, (status) => status < 500 || status === 501)).toEqual([]);
  });

  it("answers 403 or 404 for another user's object", async () => {
    const { given, when, then } = flow(platform);
    const system = await given.system({ host });
    const app = await given.app({ host, system, script: 'true' });
    await given.file(system, 'folder/file.txt', 'mine');
    const { uuid } = await when.submit(app);
    await then.job(uuid).reaches('FINISHED');
    const owner = await platform.as('testuser1');
    const transfer = await owner.ask('POST', '/v3/files/transfers', {
      elements: [
        {
          sourceURI: `svc://${system}/folder/file.txt`,
          destinationURI: `svc://${system}/folder/copy.txt`,
        },
      ],
    });
    const values: Record<string, string> = {
      systemId: system,
      parentId: system,
      childId: system,
      childSystemId: system,
      appId: app.id,
      appVersion: app.version,
      version: app.version,
      path: 'folder/file.txt',
      jobUuid: uuid,
      uuid,
      userName: 'testuser1',
      username: 'testuser1',
      user: 'testuser1',
      envVarName: 'HOME',
      permission: 'READ',
    };
    const profile = unique('profile');
    await owner.ask('POST', '/v3/systems/schedulerProfile', { name: profile });
    const of = (route: Route) => {
      if (/tran(s)?fers/.test(route.path))
        return { ...values, uuid: transfer.uuid, transferTaskId: transfer.uuid };
      // everybody may look at a profile, but not remove it
      return route.method === 'DELETE' ? { ...values, name: profile } : values;
    };
    const objects = CLOSED.filter(
      ({ service, path }) => /\{/.test(path) && /systems|apps|files|jobs/.test(service),
    );
    expect(objects.length).toBeGreaterThan(20);
    const stranger = await platform.as('testuser2');
    const found: string[] = [];
    for (const route of objects) {
      const { status, message } = await knock(route, stranger, of(route));
      if (![403, 404].includes(status))
        found.push(`${nameOf(route)} answered ${status} ${message}`);
    }
    expect(found).toEqual([]);
    // and the owner does see them, so it was not the paths that were wrong
    for (const path of [`/v3/systems/${system}`, `/v3/apps/${app.id}`, `/v3/jobs/${uuid}`])
      expect((await owner.call('GET', path)).status).toBe(200);
    expect((await owner.call('GET', `/v3/files/ops/${system}/folder`)).status).toBe(200);
  });

  it("does not list another user's objects", async () => {
    const stranger = await platform.as('testuser2');
    for (const path of ['/v3/systems', '/v3/apps', '/v3/jobs/list', '/v3/files/transfers'])
      expect(await stranger.ask('GET', path)).toEqual([]);
  });
});
