import { freshDatabase, PlatformDouble, until, type CallAnswer } from '@libs/kit';
import { createService, listen, type Listening, type RunningService } from '@libs/service-kit';
import { Housekeeping } from '../src/actions/housekeeping';
import { LoginGuard } from '../src/actions/login-guard';
import { authenticator } from '../src/service';
import { basic, OAuthService } from './oauth-service';

const FAILURES = 5;
let oauth: OAuthService;
beforeAll(async () => {
  oauth = await OAuthService.start({
    LOGIN_FAILURES: String(FAILURES),
    ADDRESS_FAILURES: '12',
    LOCK_SECONDS: '300',
    CLIENT_REQUESTS_PER_MINUTE: '8',
    TENANT_REQUESTS_PER_MINUTE: '60',
    TRUSTED_PROXIES: '1',
  });
});
afterAll(() => oauth.stop());
beforeEach(async () => {
  await oauth.database.query('DELETE FROM known_place');
  // whole minutes: a window that ends in the middle of a test would hide what it counts
  await oauth.database.query('DELETE FROM failed_attempt');
  await oauth.database.query('DELETE FROM rate_window');
});

const from = (address: string) => ({ 'x-forwarded-for': address });
const login = (username: string, password: string, address = '10.1.0.1') =>
  oauth.send('POST', '/tokens', { grant_type: 'password', username, password }, from(address));
const times = async (n: number, ask: () => Promise<CallAnswer>) => {
  const all: number[] = [];
  for (let i = 0; i < n; i++) all.push((await ask()).status);
  return all;
};
const isLocked = (answer: CallAnswer) => {
  expect([answer.status, answer.body.message]).toEqual([
    429,
    expect.stringContaining('AUTHENTICATOR_LOCKED'),
  ]);
  const wait = Number(answer.headers['retry-after']);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(300);
};
const later = (seconds: number) =>
  oauth.database.query(`UPDATE failed_attempt SET since = since - interval '${seconds} seconds'`);

describe('a user', () => {
  it('is locked after so many failures, for whoever tries, and not for ever', async () => {
    expect(await times(FAILURES, () => login('testuser1', 'wrong'))).toEqual(
      Array(FAILURES).fill(400),
    );
    isLocked(await login('testuser1', 'testuser1', '10.1.0.2'));
    isLocked(await login('TestUser1', 'wrong', '10.1.0.3'));
    expect(await oauth.lastRecord()).toMatchObject({
      event: 'token',
      outcome: 'AUTHENTICATOR_LOCKED',
      status: 429,
      username: 'TestUser1',
      address: '10.1.0.3',
    });
    expect((await login('testuser2', 'testuser2')).status).toBe(200);
    await later(301);
    expect((await login('testuser1', 'testuser1')).status).toBe(200);
  });

  it('begins anew with the right password', async () => {
    for (let round = 0; round < 2; round++) {
      expect(await times(FAILURES - 1, () => login('testuser1', 'wrong'))).not.toContain(429);
      expect((await login('testuser1', 'testuser1')).status).toBe(200);
    }
  });

  it('stays in where they have come in before, however long others guess elsewhere', async () => {
    const home = '10.6.0.1';
    expect((await login('testuser2', 'testuser2', home)).status).toBe(200);
    await times(FAILURES, () => login('testuser2', 'wrong', '10.6.0.2'));
    isLocked(await login('testuser2', 'testuser2', '10.6.0.2'));
    isLocked(await login('testuser2', 'testuser2', '10.6.0.3'));
    expect((await login('testuser2', 'testuser2', home)).status).toBe(200);
    // which gives the guesser no new tries
    isLocked(await login('testuser2', 'wrong', '10.6.0.2'));
    // nor is guessing from there free
    expect(await times(FAILURES, () => login('testuser2', 'wrong', home))).not.toContain(429);
    isLocked(await login('testuser2', 'testuser2', home));
  });

  it('has one name, however it is written', async () => {
    for (const name of ['testuser4', ' TESTUSER4', 'ＴＥＳＴＵＳＥＲ４', 'testuser4 ', 'Testuser4'])
      expect((await login(name, 'wrong')).status).toBe(400);
    isLocked(await login('testuser4', 'testuser4'));
  });

  it('that does not exist is locked as well, so that nothing can be told from it', async () => {
    await times(FAILURES, () => login('nobody', 'wrong'));
    isLocked(await login('nobody', 'wrong'));
  });

  it('is locked by failures in HTTP Basic too', async () => {
    const list = () =>
      oauth.send('GET', '/clients', undefined, {
        ...basic('testuser1', 'no'),
        ...from('10.1.0.1'),
      });
    expect(await times(FAILURES, list)).toEqual(Array(FAILURES).fill(401));
    expect(await oauth.lastRecord()).toMatchObject({
      event: 'login',
      outcome: 'AUTHENTICATOR_BAD_CREDENTIALS',
      username: 'testuser1',
      address: '10.1.0.1',
    });
    isLocked(await list());
    isLocked(await login('testuser1', 'testuser1'));
  });

  it('is locked however many guesses come at once', async () => {
    const guesses = Array.from({ length: 30 }, (_, i) =>
      login('testuser1', `guess ${i}`, `10.2.0.${i}`),
    );
    const statuses = (await Promise.all(guesses)).map((a) => a.status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(FAILURES);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30 - FAILURES);
  });
});

describe('an address', () => {
  it('is locked after failures of any users', async () => {
    let next = 0;
    const spray = () => login(`user${next++}`, 'wrong', '10.3.0.1');
    expect(await times(12, spray)).toEqual(Array(12).fill(400));
    isLocked(await login('testuser1', 'testuser1', '10.3.0.1'));
    expect((await login('testuser1', 'testuser1', '10.3.0.2')).status).toBe(200);
  });

  it('is what the proxy before us says, not what the client says', async () => {
    let next = 0;
    const lying = () => login(`liar${next}`, 'wrong', `1.2.3.${next++}, 10.3.0.3`);
    await times(12, lying);
    isLocked(await login('testuser1', 'testuser1', '9.9.9.9, 10.3.0.3'));
  });
});

it('locks out the address that guesses the key of a client, not the client', async () => {
  const { client_id, client_key } = await oauth.client();
  const code = (key: string, address: string) =>
    oauth.send(
      'POST',
      '/tokens',
      { grant_type: 'refresh_token', refresh_token: 'x', client_id, client_key: key },
      from(address),
    );
  expect(await times(FAILURES, () => code('wrong', '10.4.0.1'))).toEqual(Array(FAILURES).fill(401));
  isLocked(await code(client_key, '10.4.0.1'));
  expect((await code(client_key, '10.4.0.2')).status).toBe(400);
});

describe('a flood', () => {
  const limited = (answer: CallAnswer, kind: string) => {
    expect([answer.status, answer.body.message]).toEqual([
      429,
      expect.stringMatching(new RegExp(`AUTHENTICATOR_RATE_LIMIT .*${kind}`)),
    ]);
    const wait = Number(answer.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
  };
  /** The next answer after so many requests in this minute; once more when the minute ended just then. */
  const after = (kind: string, count: number, ask: () => Promise<CallAnswer>) =>
    until(async () => {
      await oauth.database.query(
        `UPDATE rate_window SET count = ${count}, starts = date_trunc('minute', now()) WHERE key LIKE '${kind} %'`,
      );
      const answer = await ask();
      return answer.status === 429 ? answer : undefined;
    }, 2_000);

  it('of one client is stopped, and the others go on', async () => {
    const [one, two] = [await oauth.client(), await oauth.client()];
    const ask = ({ client_id, client_key }: typeof one) =>
      oauth.send('POST', '/tokens', {
        grant_type: 'refresh_token',
        refresh_token: 'x',
        client_id,
        client_key,
      });
    expect((await ask(one)).status).toBe(400);
    limited(await after('client', 8, () => ask(one)), 'client');
    expect(await oauth.lastRecord()).toMatchObject({
      outcome: 'AUTHENTICATOR_RATE_LIMIT',
      status: 429,
      client_id: one.client_id,
    });
    expect((await ask(two)).status).toBe(400);
  });

  it('in a tenant is stopped, for libraries in their own words', async () => {
    expect((await login('testuser1', 'testuser1')).status).toBe(200);
    limited(await after('tenant', 60, () => login('testuser1', 'testuser1')), 'tenant');
    const device = () => oauth.send('POST', '/device/code', { client_id: 'x' });
    limited(await after('tenant', 60, device), 'tenant');
    const ask = () => oauth.raw('/tokens/oidc', { grant_type: 'password' });
    const raw = await after('tenant', 60, ask);
    expect([raw.status, raw.body]).toEqual([
      429,
      { error: 'temporarily_unavailable', error_description: expect.any(String) },
    ]);
    expect(raw.headers['retry-after']).toBeTruthy();
    await oauth.database.query("UPDATE rate_window SET starts = starts - interval '1 minute'");
    expect((await login('testuser1', 'testuser1')).status).toBe(200);
  });
});

it('holds over several processes', async () => {
  // a second authenticator on the same database
  const double = await PlatformDouble.start();
  const databaseUrl = freshDatabase();
  const env = double.env({ LOG_LEVEL: 'silent', DATABASE_URL: databaseUrl, LOGIN_FAILURES: '3' });
  const services: RunningService[] = [];
  const places: Listening[] = [];
  for (let i = 0; i < 2; i++) {
    services.push(await createService(authenticator, env));
    places.push(await listen(services[i]!.handler, '127.0.0.1', 0));
  }
  const who = { tenant: 'dev', username: 'somebody', address: '10.5.0.1' };
  const guess = (i: number) => services[i % 2]!.get(LoginGuard).attempt(who, async () => null);
  for (let i = 0; i < 3; i++) expect(await guess(i)).toBeNull();
  for (const i of [0, 1]) await expect(guess(i)).rejects.toMatchObject({ status: 429 });
  for (const place of places) await place.close(100);
  for (const service of services) await service.close();
  await double.close();
});

it('forgets what is over', async () => {
  await times(2, () => login('testuser1', 'wrong'));
  await later(400);
  await oauth.service.get(Housekeeping).clean();
  expect(await oauth.database.query('SELECT * FROM failed_attempt')).toEqual([]);
});
