import { PlatformProcess } from '@libs/flows';
import { withKey, withoutKey } from '../fixtures/forgeries';
import { doors } from '../fixtures/public-routes';
import { request } from '../fixtures/routes';
import { decode, serviceToken, signed } from '../fixtures/tokens';

/** One reading route of each service; the verifier is the same on all routes, the isolation test knocks on each. */
const DOORS = doors();

let platform: PlatformProcess;
let token: string;
let admin: string;
let adminKey: string;

beforeAll(async () => {
  platform = await PlatformProcess.start();
  token = (await platform.as('testuser1')).token!;
  admin = (await platform.as('admin', 'admin')).token!;
  adminKey = platform.secrets().siteAdminPrivateKey;
});
afterAll(() => platform.close());

/** What each service says to each token, as far as it is not 401. */
async function taken(forgeries: Record<string, string>, tenant: string, more = {}) {
  const found: string[] = [];
  for (const [name, forged] of Object.entries(forgeries)) {
    const caller = platform.anonymous(tenant).with({ token: forged, ...more });
    for (const door of DOORS) {
      const { status, json } = await caller.call('GET', request(door));
      if (status !== 401 || json.status !== 'error' || json.result !== null)
        found.push(`${door.service}: ${name} answered ${status}`);
    }
  }
  return found;
}

it('knocks on every service that answers', () => {
  expect(DOORS.map(({ service }) => service).sort()).toEqual(
    expect.arrayContaining([
      'apps',
      'authenticator',
      'files',
      'jobs-api',
      'security-kernel',
      'sites-tenants',
      'systems',
      'tokens',
    ]),
  );
});

it('no service takes what is made without the key', async () => {
  const dev = await platform.anonymous().ask('GET', '/v3/tenants/dev');
  const otherKid = decode(admin).header['kid'] as string;
  const forgeries = withoutKey(token, { publicKey: dev.public_key, otherKey: adminKey, otherKid });
  expect(Object.keys(forgeries).length).toBeGreaterThan(35);
  expect(await taken(forgeries, 'dev')).toEqual([]);
  const good = platform.anonymous().with({ token });
  expect((await good.call('GET', '/v3/systems')).status).toBe(200);
});

it('no service takes what is rightly signed and of another kind or time', async () => {
  expect(await taken(withKey(admin, adminKey), 'admin')).toEqual([]);
  const seconds = Math.floor(Date.now() / 1000);
  const { header, claims } = decode(admin);
  // the same hand makes good ones: with a minute left, and good since a minute
  for (const change of [{ exp: seconds + 60 }, { nbf: seconds - 60 }, { iat: seconds }]) {
    const made = signed({ header, claims: { ...claims, ...change } }, adminKey);
    const caller = platform.anonymous('admin').with({ token: made });
    expect((await caller.call('GET', '/v3/systems')).status).toBe(200);
  }
});

it('no service takes a token at the address of another tenant', async () => {
  expect(await taken({ 'a token of dev': token }, 'admin')).toEqual([]);
  expect(await taken({ 'a token of admin': admin }, 'dev')).toEqual([]);
});

it('no service takes a service token that names nobody, or whom it may not act for', async () => {
  const service = await serviceToken(platform, 'files');
  const acting = (tenant?: string, user?: string) => ({
    headers: {
      ...(tenant === undefined ? {} : { [platform.header('Tenant')]: tenant }),
      ...(user === undefined ? {} : { [platform.header('User')]: user }),
    },
  });
  for (const headers of [
    acting(),
    acting('dev'),
    acting(undefined, 'testuser1'),
    acting(' ', 'x'),
    acting('dev', ' '),
    acting('nowhere', 'x'),
  ])
    expect(await taken({ [JSON.stringify(headers)]: service }, 'dev', headers)).toEqual([]);
  const { header, claims } = decode(service);
  const elsewhere = { ...claims, 'svc/target_site': 'west' };
  const forOthers = signed({ header, claims: elsewhere }, adminKey);
  expect(await taken({ 'for another site': forOthers }, 'dev', acting('dev', 'testuser1'))).toEqual(
    [],
  );
});
