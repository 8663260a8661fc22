import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { until } from '@libs/kit';
import { PlatformProcess, type Session } from '@libs/flows';
import { command, startAssociate } from '../fixtures/sites';
import { actingFor, serviceToken } from '../fixtures/tokens';

let primary: PlatformProcess;
let west: PlatformProcess;
let east: PlatformProcess;

/** West runs systems itself, east nothing but what every site must, and a way to log in. */
beforeAll(async () => {
  primary = await PlatformProcess.start();
  west = await startAssociate(primary, 'west', 'authenticator,systems');
  east = await startAssociate(primary, 'east', 'authenticator');
});
afterAll(async () => {
  for (const site of [west, east, primary]) await site?.close();
});

const user = (site: PlatformProcess, id: string) => site.as('testuser1', `${id}-dev`);
/** The same person at the primary's address of the tenant. */
const atPrimary = async (site: PlatformProcess, id: string): Promise<Session> => {
  const { token } = await user(site, id);
  return primary.anonymous(`${id}-dev`).with({ token });
};
const aSystem = (id: string) => ({
  id,
  systemType: 'LINUX',
  host: 'host.example.org',
  effectiveUserId: '${apiUserId}',
  defaultAuthnMethod: 'PASSWORD',
  canExec: false,
  rootDir: '/',
});
const anApp = (id: string) => ({
  id,
  version: '1',
  runtime: 'DOCKER',
  containerImage: 'busybox',
  jobAttributes: {},
});

/** A call of a service with its own token. */
async function service(
  from: PlatformProcess,
  name: string,
  { tenant, target }: { tenant: string; target: string },
  to: PlatformProcess,
  [method, path]: [string, string],
  on: string,
) {
  const token = await serviceToken(from, name, { tenant, target });
  const headers = actingFor(to, 'testuser1', on);
  return to.anonymous(tenant).with({ token, headers }).call(method, path);
}

describe('the commands', () => {
  it('can be repeated', async () => {
    const place = ['--port', String(west.port), '--services', 'authenticator,systems'];
    const again = await command('site', ['west', ...place, '--data', west.dataDir], primary);
    expect(again).toMatch(/^Start it with/);
    const tenant = ['west-dev', '--site', 'west', '--data', west.dataDir];
    expect(await command('tenant', tenant, primary)).toBe(
      `active    west-dev is open at ${west.baseUrl('west-dev')}\n`,
    );
  });

  it('bring up a tenant of the primary, with an owner and a directory', async () => {
    const args = ['lab', '--admin-user', 'boss', '--data', primary.dataDir];
    const password = 'a good long one';
    const said = await command('tenant', args, primary, { TENANT_ADMIN_PASSWORD: password });
    expect(said).toMatch(
      /tenant .*draft of site primary\nkey .*\nactive {4}lab is open.*\naccount {3}boss of tenant lab/,
    );
    const [record] = (
      await primary.anonymous().ask('GET', '/v3/tenants?select=tenant_id,status')
    ).filter((t: { tenant_id: string }) => t.tenant_id === 'lab');
    expect(record).toEqual({ tenant_id: 'lab', status: 'ACTIVE' });
    // who administers it can come in, with no grant switched on for that
    const authorization = `Basic ${btoa(`boss:${password}`)}`;
    const boss = primary.anonymous('lab').with({ headers: { authorization } });
    expect(await boss.ask('GET', '/v3/oauth2/clients')).toEqual([]);
  });

  it('go on where one was cut off, with a directory and its password', async () => {
    const admin = await primary.as('admin', 'admin');
    const url = primary.baseUrl('physics');
    await admin.ask('POST', '/v3/tenants', {
      tenant_id: 'physics',
      base_url: url,
      site_id: 'primary',
      owner: 'o@example.org',
      admin_user: 'boss',
      token_gen_services: ['authenticator'],
      token_service: `${url}/v3/tokens`,
      security_kernel: `${url}/v3/security`,
      authenticator: `${url}/v3/oauth2`,
    });
    const ldap = {
      ldap_id: 'people',
      url: 'ldap://ldap.example.org',
      port: 389,
      use_ssl: false,
      user_dn: 'ou=people,dc=example,dc=org',
      bind_dn: 'cn=reader,dc=example,dc=org',
      bind_credential: 'ldap.people',
      account_type: 'user',
    };
    const file = join(primary.dataDir, 'people.json');
    writeFileSync(file, JSON.stringify(ldap));
    const args = ['physics', '--ldap', file, '--data', primary.dataDir];
    const said = await command('tenant', args, primary, { LDAP_PASSWORD: 'of the directory' });
    expect(said).toMatch(/^secret .*\nldap .*\nkey .*\nactive/);
    expect(await admin.ask('GET', '/v3/tenants/physics')).toMatchObject({
      status: 'ACTIVE',
      user_ldap_connection_id: 'people',
    });
    expect(await admin.ask('GET', '/v3/tenants/ldaps/people')).toMatchObject(ldap);
    const token = await serviceToken(primary, 'authenticator');
    const headers = actingFor(primary, 'authenticator', 'admin');
    const place = '/v3/security/vault/secret/user/ldap.people?tenant=admin&user=authenticator';
    const secret = await primary.anonymous('admin').with({ token, headers }).ask('GET', place);
    expect(secret.secretMap).toEqual({ password: 'of the directory' });
  });

  it('are told apart what is missing', async () => {
    const unknown = command('tenant', ['x', '--site', 'nowhere'], primary);
    await expect(unknown).rejects.toThrow('There is no site "nowhere"');
    await expect(command('site', ['x'], primary)).rejects.toThrow('--port or --base-url is needed');
    const registry = ['x', '--port', '1', '--services', 'tenants', '--data', west.dataDir];
    await expect(command('site', registry, primary)).rejects.toThrow("can't run tenants");
  });

  it('are the registry of all sites afterwards', async () => {
    const sites = await primary.anonymous().ask('GET', '/v3/sites');
    expect(sites.map((s: { site_id: string }) => s.site_id)).toEqual(['primary', 'east', 'west']);
    const tenant = await primary.anonymous().ask('GET', '/v3/tenants/west-dev');
    expect(tenant).toMatchObject({ site_id: 'west', is_owned_by_associate_site: true });
  });
});

describe('a service that the associate runs', () => {
  it('serves its tenants from its own database', async () => {
    const me = await user(west, 'west');
    await me.ask('POST', '/v3/systems', aSystem('westhost'));
    expect(await me.ask('GET', '/v3/systems/westhost')).toMatchObject({ tenant: 'west-dev' });
    const dev = await primary.as('testuser1');
    expect((await dev.call('GET', '/v3/systems/westhost')).status).toBe(404);
  });

  it('is refused to its tenants by the primary', async () => {
    const { status, message } = await (await atPrimary(west, 'west')).call('GET', '/v3/systems');
    expect([status, message]).toEqual([401, expect.stringMatching(/WRONG_SITE.*west runs/)]);
  });

  it('does not serve the tenants of other sites', async () => {
    const dev = await primary.as('testuser1');
    const foreign = west.anonymous('west-dev').with({ token: dev.token });
    expect((await foreign.call('GET', '/v3/systems')).status).toBe(401);
    const { token } = await user(east, 'east');
    const other = west.anonymous('west-dev').with({ token });
    expect((await other.call('GET', '/v3/systems')).status).toBe(401);
  });
});

describe('a service that the associate does not run', () => {
  it('is served by the primary, behind the address of the associate', async () => {
    const me = await user(west, 'west');
    await me.ask('POST', '/v3/apps', anApp('westapp'));
    const there = await (await atPrimary(west, 'west')).ask('GET', '/v3/apps/westapp');
    expect(there).toMatchObject({ id: 'westapp', tenant: 'west-dev' });
    const far = await user(east, 'east');
    await far.ask('POST', '/v3/systems', aSystem('easthost'));
    expect((await far.ask('GET', '/v3/systems')).map((s: { id: string }) => s.id)).toEqual([
      'easthost',
    ]);
    expect(await me.ask('GET', '/v3/systems')).toHaveLength(1);
  });

  it('knows the administrator of the tenant', async () => {
    const admin = await west.as('admin', 'west-dev');
    expect((await admin.call('GET', '/v3/apps/westapp')).status).toBe(200);
    const stranger = await west.as('testuser2', 'west-dev');
    expect((await stranger.call('GET', '/v3/apps/westapp')).status).toBeGreaterThanOrEqual(403);
  });
});

describe('the registry', () => {
  it('is read through every site', async () => {
    for (const site of [west, east])
      expect(await site.anonymous('west-dev').ask('GET', '/v3/sites')).toHaveLength(3);
  });

  it('is written at the primary only', async () => {
    const admin = await primary.as('admin', 'admin');
    const tenant = { description: 'changed' };
    const here = west.anonymous('west-admin').with({ token: admin.token });
    expect((await here.send('PUT', '/v3/tenants/west-dev', tenant)).status).toBe(401);
    expect((await admin.send('PUT', '/v3/tenants/west-dev', tenant)).status).toBe(200);
  });
});

describe('a service token', () => {
  const systems: [string, string] = ['GET', '/v3/systems'];
  const apps: [string, string] = ['GET', '/v3/apps'];
  const roles: [string, string] = ['GET', '/v3/security/role?tenant=west-dev'];
  const ofWest = (target: string) => ({ tenant: 'west-admin', target });
  const ofEast = (target: string) => ({ tenant: 'east-admin', target });
  const ofPrimary = (target: string) => ({ tenant: 'admin', target });

  it('is good at the site that it names alone', async () => {
    const call = async (target: string, to: PlatformProcess, what: [string, string]) =>
      (await service(west, 'systems', ofWest(target), to, what, 'west-dev')).status;
    expect(await call('west', west, systems)).toBe(200);
    expect(await call('primary', west, systems)).toBe(401);
    expect(await call('primary', primary, apps)).toBe(200);
    expect(await call('west', primary, apps)).toBe(401);
  });

  it('of an associate acts for the tenants of its site alone', async () => {
    const call = async (what: [string, string], tenant: string) =>
      (await service(west, 'systems', ofWest('primary'), primary, what, tenant)).status;
    expect(await call(apps, 'dev')).toBe(401);
    expect(await call(apps, 'east-dev')).toBe(401);
    // west runs it itself
    expect(await call(systems, 'west-dev')).toBe(401);
    // the kernel answers its own site
    expect(await call(roles, 'west-dev')).toBe(401);
  });

  it('of the primary acts for every tenant where its services are', async () => {
    const call = async (what: [string, string], tenant: string) =>
      (await service(primary, 'apps', ofPrimary('west'), west, what, tenant)).status;
    expect(await call(systems, 'west-dev')).toBe(200);
    expect(await call(systems, 'dev')).toBe(401);
    expect(await call(roles, 'west-dev')).toBe(401);
  });

  it('from associate to associate is not made, and one that is made up is refused', async () => {
    await expect(serviceToken(east, 'tokens', ofEast('west'))).rejects.toThrow(
      /400.*east does not call/,
    );
    for (const tenant of ['west-dev', 'east-dev'])
      expect((await service(east, 'tokens', ofEast('east'), west, systems, tenant)).status).toBe(
        401,
      );
  });
});

const login = async (): Promise<string> => {
  const body = { grant_type: 'password', username: 'testuser3', password: 'testuser3' };
  const made = await west.anonymous('west-dev').ask('POST', '/v3/oauth2/tokens', body);
  return made.access_token.access_token;
};

describe('tokens of the tenants of an associate', () => {
  const uses = (token: string) => [
    west.anonymous('west-dev').with({ token }).call('GET', '/v3/systems'),
    west.anonymous('west-dev').with({ token }).call('GET', '/v3/apps'),
    primary.anonymous('west-dev').with({ token }).call('GET', '/v3/apps'),
  ];
  const statuses = async (token: string) => (await Promise.all(uses(token))).map((r) => r.status);

  it('stay good when the key is renewed, and new ones are good everywhere', async () => {
    const before = await login();
    const headers = actingFor(west, 'tokens', 'west-admin');
    const token = await serviceToken(west, 'tokens', { tenant: 'west-admin', target: 'west' });
    const keys = west.anonymous('west-admin').with({ token, headers });
    expect((await keys.send('PUT', '/v3/tokens/keys', { tenant_id: 'west-dev' })).status).toBe(200);
    const after = await login();
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    expect(await statuses(before)).toEqual([200, 200, 200]);
    expect(await statuses(after)).toEqual([200, 200, 200]);
  });

  it('are revoked at every site that serves them, within two seconds', async () => {
    const token = await login();
    expect(await statuses(token)).toEqual([200, 200, 200]);
    const asked = performance.now();
    const told = await west.anonymous('west-dev').send('POST', '/v3/tokens/revoke', { token });
    expect(told.status).toBe(200);
    await until(async () => (await statuses(token)).every((status) => status === 401), 2_000);
    expect(performance.now() - asked).toBeLessThan(2_000);
  });

  it('are revoked at the primary by no other service', async () => {
    const body = { tokens: [{ jti: randomUUID(), exp: Math.floor(Date.now() / 1000) + 60 }] };
    const tell = async (name: string, target: string) => {
      const token = await serviceToken(west, name, { tenant: 'west-admin', target });
      const headers = actingFor(primary, name, 'west-admin');
      const caller = primary.anonymous('west-admin').with({ token, headers });
      return (await caller.send('POST', '/v3/tokens/revoked', body)).status;
    };
    expect(await tell('tokens', 'primary')).toBe(200);
    expect(await tell('tokens', 'west')).toBe(401);
    expect(await tell('systems', 'primary')).toBe(403);
  });
});

describe('while the primary is down', () => {
  let revoked: string;
  beforeAll(async () => {
    revoked = await login();
    await primary.kill();
  });

  const works = async () => {
    const body = { grant_type: 'password', username: 'testuser2', password: 'testuser2' };
    const made = await west.anonymous('west-dev').ask('POST', '/v3/oauth2/tokens', body);
    const me = west.anonymous('west-dev').with({ token: made.access_token.access_token });
    await me.ask('GET', '/v3/systems');
    return (await user(west, 'west')).ask('GET', '/v3/systems/westhost');
  };

  it('an associate lets people in and serves what it runs', async () => {
    expect(await works()).toMatchObject({ id: 'westhost' });
  });

  it('says that what the primary serves is away', async () => {
    const { status, headers, json } = await (await user(west, 'west')).call('GET', '/v3/apps');
    expect([status, headers['retry-after'], json.status]).toEqual([503, '1', 'error']);
  });

  it('starts again, and goes on', async () => {
    const told = await west
      .anonymous('west-dev')
      .send('POST', '/v3/tokens/revoke', { token: revoked });
    expect(told.status).toBe(200);
    await west.kill();
    await west.start();
    expect(await works()).toMatchObject({ id: 'westhost' });
  });

  it('has the rest again when the primary is back', async () => {
    await primary.start();
    const me = await user(west, 'west');
    expect(await me.ask('GET', '/v3/apps/westapp')).toMatchObject({ id: 'westapp' });
  });

  it('has told the primary then what was revoked meanwhile', async () => {
    const caller = primary.anonymous('west-dev').with({ token: revoked });
    await until(async () => (await caller.call('GET', '/v3/apps')).status === 401);
  });
});
