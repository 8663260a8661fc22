import { Readable } from 'node:stream';
import type { Tenants } from '@libs/auth';
import type { ServiceSettings } from '@libs/config';
import { PasswordTokens } from './own-tokens';
import type { HttpCall, Transport } from './transport';

const HOUR = 3_600_000;
let now: number;
let asked: HttpCall[];
let away: boolean;

const tenants = {
  ensureLoaded: () => Promise.resolve(),
  here: { site_admin_tenant_id: 'admin' },
  tenant: () => ({ tenant_id: 'admin', base_url: 'http://admin.localhost' }),
} as unknown as Tenants;

const transport = {
  send: (call: HttpCall) => {
    asked.push(call);
    if (away) return Promise.reject(new Error('away'));
    const result = { access_token: { access_token: `token ${asked.length}`, expires_in: 14_400 } };
    const body = Readable.from([]) as Readable & { json?: () => Promise<unknown> };
    body.json = () => Promise.resolve({ result });
    return Promise.resolve({ status: 200, headers: {}, body });
  },
} as unknown as Transport;

const make = (servicePassword?: string) =>
  new PasswordTokens('jobs', { servicePassword } as ServiceSettings, tenants, transport, () => now);

beforeEach(() => {
  now = 0;
  asked = [];
  away = false;
});

it('asks once for all who want one at once, and keeps it', async () => {
  const tokens = make('secret');
  expect(await Promise.all([tokens.token('a'), tokens.token('a')])).toEqual(['token 1', 'token 1']);
  now = 3 * HOUR;
  expect(await tokens.token('a')).toBe('token 1');
  expect(await tokens.token('b')).toBe('token 2');
});

it('renews half an hour ahead without making anybody wait', async () => {
  const tokens = make('secret');
  await tokens.token('a');
  now = 3.6 * HOUR;
  expect(await tokens.token('a')).toBe('token 1');
  await new Promise(setImmediate);
  expect(await tokens.token('a')).toBe('token 2');
  expect(asked).toHaveLength(2);
});

it('goes on with the old one while the tokens service is away, but does not ask all the time', async () => {
  const tokens = make('secret');
  await tokens.token('a');
  now = 3.6 * HOUR;
  away = true;
  for (let i = 0; i < 5; i++) expect(await tokens.token('a')).toBe('token 1');
  expect(asked).toHaveLength(2);
  now += 8_000;
  await tokens.token('a');
  expect(asked).toHaveLength(3);
  now = 4 * HOUR;
  await expect(tokens.token('a')).rejects.toThrow('away');
});

it('says so without a password', async () => {
  await expect(make().token('a')).rejects.toMatchObject({
    status: 503,
    code: 'SVC_NO_SERVICE_TOKEN',
  });
});
