import { PlatformProcess } from '@libs/flows';
import { until } from '@libs/kit';
import { doors } from '../fixtures/public-routes';
import { request, type Route } from '../fixtures/routes';

/** Revocation holds everywhere within this time. */
const LIMIT_MS = 2_000;

const DOORS = doors();

let platform: PlatformProcess;

beforeAll(async () => {
  platform = await PlatformProcess.start();
});
afterAll(() => platform.close());

const login = async (): Promise<string> => {
  const body = { grant_type: 'password', username: 'testuser5', password: 'testuser5' };
  return (await platform.anonymous().ask('POST', '/v3/oauth2/tokens', body)).access_token
    .access_token;
};
const refused = async (token: string, door: Route) => {
  const caller = platform.anonymous().with({ token });
  return (await caller.call('GET', request(door))).status === 401;
};

it.each(['/v3/tokens/revoke', '/v3/oauth2/tokens/revoke'])(
  'what %s was told no service takes two seconds later',
  async (path) => {
    const token = await login();
    // every service has seen the token, and remembers that it was good
    for (const door of DOORS)
      expect([door.service, await refused(token, door)]).toEqual([door.service, false]);
    const asked = performance.now();
    const { status } = await platform.anonymous().with({ token }).send('POST', path, { token });
    expect(status).toBe(200);
    const times = await Promise.all(
      DOORS.map(async (door) => {
        await until(() => refused(token, door), LIMIT_MS, 5);
        return performance.now() - asked;
      }),
    );
    expect(Math.max(...times)).toBeLessThan(LIMIT_MS);
    expect(
      (
        await platform
          .anonymous()
          .with({ token: await login() })
          .call('GET', '/v3/systems')
      ).status,
    ).toBe(200);
  },
);

it('it holds after a restart, from the first request on', async () => {
  const token = await login();
  await platform.anonymous().send('POST', '/v3/tokens/revoke', { token });
  await platform.kill();
  await platform.start();
  for (const door of DOORS) {
    // these two are up before the tokens service and ask it a moment later
    const early = ['security-kernel', 'sites-tenants'].includes(door.service);
    const holds = early
      ? await until(() => refused(token, door), LIMIT_MS)
      : await refused(token, door);
    expect([door.service, holds]).toEqual([door.service, true]);
  }
});
