import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Tenants } from '@libs/auth';
import { loadSettings, ServiceSettings } from '@libs/config';
import { NotFound, NotReady, Unauthenticated } from '@libs/envelope';
import { PlatformDouble } from '@libs/kit';
import { HttpDirectory, path, PasswordTokens, ServiceClient, Transport } from '../src';

let double: PlatformDouble;
let transport: Transport;
let client: ServiceClient;
let tenants: Tenants;
let settings: ServiceSettings;

beforeAll(async () => {
  double = await PlatformDouble.start();
});
beforeEach(() => {
  settings = loadSettings(ServiceSettings, double.env());
  transport = new Transport();
  tenants = new Tenants(new HttpDirectory(settings, transport), 'primary');
  const tokens = new PasswordTokens('jobs', settings, tenants, transport);
  client = new ServiceClient('jobs', tenants, settings, transport, () => tokens);
  double.requests.splice(0);
});
afterEach(() => transport.close());
afterAll(() => double.close());

const calls = () => client.for({ tenant: 'dev', user: 'testuser1' });
const seen = (prefix: string) => double.requests.filter((r) => r.path.startsWith(prefix));

it('reaches *.localhost whatever the resolver says', async () => {
  settings.internalUrl = undefined;
  double.serve('GET', '/v3/systems', ({ headers }) => headers.host);
  const { port } = new URL(double.url);
  const other = client.for({ tenant: 'other', user: 'u' });
  expect(await other.get('systems', '/v3/systems')).toBe(`other.localhost:${port}`);
});

it('names a user that no header can carry', async () => {
  for (const user of ['😀', 'a\nb', '', ' '])
    await expect(client.for({ tenant: 'dev', user }).get('systems', '/v3')).rejects.toMatchObject({
      status: 400,
    });
});

it('gets one token for many calls at once', async () => {
  double.serve('GET', '/v3/systems', () => []);
  await Promise.all(Array.from({ length: 5 }, () => calls().get('systems', '/v3/systems')));
  expect(seen('/v3/systems')).toHaveLength(5);
  expect(seen('/v3/tokens')).toHaveLength(1);
  const [asked] = seen('/v3/tokens');
  expect(asked!.headers.authorization).toBe(`Basic ${btoa('jobs:double')}`);
  expect(asked!.body).toMatchObject({ token_username: 'jobs', target_site_id: 'primary' });
});

it('repeats a call when the other side is away for a moment, with the same key', async () => {
  let left = 2;
  double.serve('POST', '/v3/apps', ({ body }) => {
    if (left-- > 0) throw new NotReady('APPS_STARTING', 'apps is starting');
    return body;
  });
  expect(await calls().post('apps', '/v3/apps', { body: { id: 'a' } })).toEqual({ id: 'a' });
  const keys = seen('/v3/apps').map((r) => r.headers['idempotency-key']);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  await calls().post('apps', '/v3/apps', { body: {}, idempotencyKey: 'mine' });
  expect(seen('/v3/apps').at(-1)!.headers['idempotency-key']).toBe('mine');
});

it('does not repeat what is refused', async () => {
  double.serve('GET', '/v3/apps/:id', ({ params }) => {
    throw new NotFound('APPS_NOT_FOUND', `app ${params['id']}`, params['id']);
  });
  await expect(calls().get('apps', path`/v3/apps/${'a/b c'}`)).rejects.toMatchObject({
    status: 404,
    code: 'APPS_NOT_FOUND',
    text: 'app a/b c',
    result: { name: 'a/b c' },
  });
  expect(seen('/v3/apps')).toHaveLength(1);
});

it('takes a new token when the old one is refused', async () => {
  let refuse = true;
  double.serve('GET', '/v3/files', () => {
    if (refuse) {
      refuse = false;
      throw new Unauthenticated('SVC_TOKEN_SIGNATURE', 'old key');
    }
    return 'fine';
  });
  expect(await calls().get('files', '/v3/files')).toBe('fine');
  expect(seen('/v3/tokens')).toHaveLength(2);
});

it('says what cannot be reached, and what took too long', async () => {
  double.serve('GET', '/v3/slow', () => new Promise((done) => setTimeout(done, 2_000).unref()));
  await expect(calls().get('files', '/v3/slow', { timeoutMs: 100 })).rejects.toMatchObject({
    status: 504,
    code: 'SVC_SERVICE_TIMEOUT',
  });
  await tenants.ensureLoaded();
  settings.internalUrl = 'http://127.0.0.1:9';
  await expect(calls().get('files', '/v3/x', { timeoutMs: 300 })).rejects.toMatchObject({
    status: 502,
    code: 'SVC_SERVICE_UNREACHABLE',
  });
});

it('streams bodies out and in', async () => {
  double.serve('PUT', '/v3/files/*path', ({ body }) => Readable.from([body as Buffer]));
  const body = Readable.from([Buffer.from('one '), Buffer.from('two')]);
  const answer = await calls().stream('files', '/v3/files/a', { method: 'PUT', body });
  expect(answer.status).toBe(200);
  expect(await text(answer.body)).toBe('one two');
  double.serve('GET', '/v3/files/*path', () => {
    throw new NotFound('FILES_NOT_FOUND', '/a');
  });
  await expect(calls().stream('files', '/v3/files/a')).rejects.toMatchObject({ status: 404 });
});

it('knows no tenant that is not in the registry', async () => {
  const nobody = client.for({ tenant: 'nowhere', user: 'u' });
  await expect(nobody.get('systems', '/v3/systems')).rejects.toMatchObject({ status: 404 });
});
