import { defaultConfig } from '../src/domain/tenant-config';
import { OAuthService } from './oauth-service';

let oauth: OAuthService;
beforeAll(async () => {
  oauth = await OAuthService.start();
  oauth.double.security.makeAdmin('dev', 'admin');
});
afterAll(() => oauth.stop());

const read = async () =>
  (await oauth.send('GET', '/admin/config', undefined, await oauth.by('admin'))).body.result;
const ask = (body: object) => oauth.send('POST', '/tokens', body);
const password = { grant_type: 'password', username: 'testuser1', password: 'testuser1' };

describe('the config of a tenant', () => {
  it('is open in a tenant to try things in, and careful in every other one', async () => {
    await oauth.config({});
    expect(await read()).toEqual(defaultConfig('dev', true, 14_400));
    expect(defaultConfig('new', false, 14_400).allowable_grant_types).toEqual([
      'authorization_code',
      'refresh_token',
      'device_code',
    ]);
  });

  it('is for administrators and for the authenticator itself', async () => {
    const both = async (headers: Record<string, string>) => [
      (await oauth.send('GET', '/admin/config', undefined, headers)).status,
      (await oauth.send('PUT', '/admin/config', {}, headers)).status,
    ];
    const service = (name: string) => oauth.double.asService(name, name, 'dev');
    expect(await both(await oauth.by('admin'))).toEqual([200, 200]);
    expect(await both(await oauth.by('testuser1'))).toEqual([403, 403]);
    expect(await both(service('authenticator'))).toEqual([200, 200]);
    expect(await both(service('systems'))).toEqual([403, 403]);
    expect(await both({})).toEqual([401, 401]);
  });

  it('changes only where it is told to', async () => {
    const { status, body } = await oauth.config({ use_token_webapp: false });
    expect([status, body.result.use_token_webapp]).toEqual([200, false]);
    await oauth.config({ default_access_token_ttl: 600 });
    expect(await read()).toMatchObject({ use_token_webapp: false, default_access_token_ttl: 600 });
    const made = await ask(password);
    expect(made.body.result.access_token.expires_in).toBe(600);
    await oauth.config({ use_token_webapp: true, default_access_token_ttl: 14_400 });
  });

  it.each([
    [{ allowable_grant_types: 'password' }, 'allowable_grant_types'],
    [{ allowable_grant_types: ['magic'] }, 'allowable_grant_types'],
    [{ use_ldap: 'yes' }, 'use_ldap'],
    [{ mfa_config: [] }, 'mfa_config'],
    [{ mfa_config: { tacc: {} } }, 'mfa_config'],
    [{ mfa_config: { totp: { required: 'yes' } } }, 'required'],
    [{ default_access_token_ttl: 0 }, 'default_access_token_ttl'],
    [{ max_access_token_ttl: 31_536_001 }, 'max_access_token_ttl'],
    [{ max_refresh_token_ttl: 63_072_001 }, 'max_refresh_token_ttl'],
    [{ default_access_token_ttl: 900, max_access_token_ttl: 800 }, 'default_access_token_ttl'],
    [{ max_refresh_token_ttl: 1000 }, 'default_refresh_token_ttl'],
    [{ custom_idp_configuration: 'ldap' }, 'custom_idp_configuration'],
    [{ custom_idp_configuration: { saml: {} } }, 'saml'],
    [{ custom_idp_configuration: { github: {} } }, 'client_id'],
    [{ token_url: 'ftp://x' }, 'token_url'],
    [{ tenant_id: 'other' }, 'tenant_id'],
  ])('refuses %j', async (change, name) => {
    const { status, body } = await oauth.config(change);
    expect([status, body.message]).toEqual([400, expect.stringContaining(name)]);
  });

  it('keeps secrets in the security kernel and shows none', async () => {
    const github = { client_id: 'gh', client_secret: 'a secret of github' };
    const { body } = await oauth.config({
      impersadmin_password: 'a secret password',
      custom_idp_configuration: { github },
    });
    expect(body.result).toMatchObject({
      impersadmin_password: '********',
      custom_idp_configuration: { github: { client_id: 'gh', client_secret: '********' } },
    });
    const stored = JSON.stringify(await oauth.database.query('SELECT * FROM tenant_config'));
    expect(stored).not.toMatch(/a secret/);
    const { TenantConfigs } = await import('../src/actions/tenant-configs');
    const configs = oauth.service.get(TenantConfigs);
    expect(await configs.of('dev')).toMatchObject({
      impersadmin_password: 'a secret password',
      custom_idp_configuration: { github },
    });
    // what is sent back as it was shown stays; what leaves takes its secret along
    await oauth.config({ impersadmin_password: '********', custom_idp_configuration: {} });
    expect(await configs.of('dev')).toMatchObject({
      impersadmin_password: 'a secret password',
      custom_idp_configuration: {},
    });
    const kept = JSON.stringify([...oauth.double.security.secrets.values()]);
    expect(kept).toContain('a secret password');
    expect(kept).not.toContain('a secret of github');
    await oauth.config({ impersadmin_password: null });
  });

  it('has switches for its grants, and the refusal names them', async () => {
    await oauth.config({ allowable_grant_types: ['authorization_code'] });
    for (const grant_type of ['password', 'refresh_token', 'device_code']) {
      const { status, body } = await ask({ ...password, grant_type });
      expect([grant_type, status]).toEqual([grant_type, 400]);
      expect(body.message).toContain('AUTHENTICATOR_UNSUPPORTED_GRANT_TYPE');
      expect(body.message).toContain(`"${grant_type}"`);
      expect(body.message).toContain('allowable_grant_types');
      expect(body.message).toContain('tenant dev');
    }
    const device = await oauth.send('POST', '/device/code', { client_id: 'x' });
    expect([device.status, device.body.message]).toEqual([
      400,
      expect.stringContaining('allowable_grant_types'),
    ]);
    const { GRANT_TYPES } = await import('../src/domain/tenant-config');
    await oauth.config({ allowable_grant_types: [...GRANT_TYPES] });
    expect((await ask(password)).status).toBe(200);
  });

  it('caps what is refreshed, though it was given before', async () => {
    const client = await oauth.client();
    const keyed = { client_id: client.client_id, client_key: client.client_key };
    const { refresh_token } = (await ask({ ...password, ...keyed })).body.result.refresh_token;
    const day = { max_refresh_token_ttl: 86_400, default_refresh_token_ttl: 86_400 };
    await oauth.config(day);
    const { status, body } = await ask({ grant_type: 'refresh_token', refresh_token, ...keyed });
    expect([status, body.message]).toEqual([400, expect.stringContaining('log in again')]);
    const again = (await ask({ ...password, ...keyed })).body.result.refresh_token;
    expect(again.expires_in).toBe(86_400);
    await oauth.config({
      max_refresh_token_ttl: 63_072_000,
      default_refresh_token_ttl: 31_536_000,
    });
  });

  it('caps what a device is given', async () => {
    await oauth.config({ max_access_token_ttl: 86_400 });
    const { client_id } = await oauth.client();
    const start = (await oauth.send('POST', '/device/code', { client_id })).body.result;
    const { Authorizations } = await import('../src/actions/authorizations');
    const authorizations = oauth.service.get(Authorizations);
    await authorizations.approveDevice('dev', start.user_code, { username: 'testuser1' }, 90);
    const { device_code } = start;
    const made = await ask({ grant_type: 'device_code', client_id, device_code });
    expect(made.body.result.access_token.expires_in).toBe(86_400);
  });
});

describe('the record of who was let in', () => {
  it('is read by administrators, the newest first, by pages', async () => {
    await ask({ ...password, password: 'wrong' });
    const headers = await oauth.by('admin');
    const read = async (query: string) =>
      oauth.send('GET', `/admin/events${query}`, undefined, headers);
    const { status, body } = await read('?limit=2');
    expect(status).toBe(200);
    const [newest, before] = body.result;
    expect(newest).toMatchObject({ event: 'token', outcome: 'ISSUED', username: 'admin' });
    expect(before).toEqual({
      id: newest.id - 1,
      time: expect.stringMatching(/Z$/),
      event: 'token',
      outcome: 'AUTHENTICATOR_INVALID_GRANT',
      status: 400,
      username: 'testuser1',
      client_id: null,
      grant_type: 'password',
      address: '127.0.0.1',
      tracking_id: expect.any(String),
      by: null,
      details: null,
    });
    const older = await read(`?limit=1&before=${newest.id}&username=testuser1`);
    expect(older.body.result).toEqual([before]);
    expect((await read('?limit=0')).status).toBe(400);
    const stranger = await oauth.by('testuser1');
    expect((await oauth.send('GET', '/admin/events', undefined, stranger)).status).toBe(403);
  });
});
