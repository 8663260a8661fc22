import { PlatformProcess } from '@libs/flows';
import { PageBrowser, Slapd, slapdMissing, until } from '@libs/kit';
import { end } from '../fixtures/end';

const PEOPLE = `dn: ou=people,dc=example,dc=org
objectClass: organizationalUnit
ou: people

dn: uid=ann,ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: ann
cn: ann
sn: Example
mail: ann@example.org
userPassword: ann-password
`;

const missing = slapdMissing();
(missing ? describe.skip : describe)(`a tenant with an LDAP directory ${missing ?? ''}`, () => {
  let platform: PlatformProcess;
  let slapd: Slapd;

  beforeAll(async () => {
    slapd = await Slapd.start(PEOPLE);
    platform = await PlatformProcess.start({ env: { LDAP_CA_FILE: slapd.caFile } });
  });
  afterAll(async () => {
    await end(platform, [], { 'the password of the directory': slapd.readerPassword });
    await slapd.close();
  });

  it('is pointed at it over the REST API, and its people log in with what they have', async () => {
    const before = await platform.as('testuser1');
    await platform.as('admin', 'dev');
    const site = await platform.as('admin', 'admin');
    await site.ask('PUT', '/v3/oauth2/admin/directory_secrets/ldap.people', {
      password: slapd.readerPassword,
    });
    await site.ask('POST', '/v3/tenants/ldaps', {
      ldap_id: 'people',
      url: 'ldaps://localhost',
      port: slapd.tlsPort,
      use_ssl: true,
      user_dn: `uid=\${username},ou=people,${slapd.base}`,
      bind_dn: slapd.readerDn,
      bind_credential: 'ldap.people',
      account_type: 'user',
    });
    const token = (username: string, password: string) =>
      platform
        .anonymous()
        .send('POST', '/v3/oauth2/tokens', { grant_type: 'password', username, password });
    expect((await token('ann', 'ann-password')).status).toBe(400);
    const change = { user_ldap_connection_id: 'people' };
    await site.ask('PUT', '/v3/tenants/dev', change);
    const made = await until(async () => {
      const answer = await token('ann', 'ann-password');
      return answer.status === 200 ? answer : undefined;
    }, 70_000);
    const ann = platform.anonymous().with({ token: made.json.result.access_token.access_token });
    expect(await ann.ask('GET', '/v3/oauth2/userinfo')).toMatchObject({
      username: 'ann',
      email: 'ann@example.org',
      dn: `uid=ann,ou=people,${slapd.base}`,
    });
    expect((await ann.call('GET', '/v3/systems')).status).toBe(200);
    expect((await token('ann', 'wrong')).status).toBe(400);
    // the accounts of the platform's own directory are out of use now
    expect((await token('testuser1', 'testuser1')).status).toBe(400);
    const profiles = await before.call('GET', '/v3/oauth2/profiles');
    expect(profiles.json.result.map((p: { username: string }) => p.username)).toEqual(['ann']);

    const browser = new PageBrowser(`http://127.0.0.1:${platform.port}`, platform.hostOf('dev'));
    await browser.open('/v3/oauth2/webapp');
    await browser.submit({ username: 'ANN', password: 'ann-password' });
    expect(browser.title).toBe('Your token');
    expect(browser.words).toContain('ann@dev');
    // her password is kept in the directory, not here
    await browser.open('/v3/oauth2/webapp/account');
    expect(browser.words).not.toContain('New password');
  });

  it('gives its password to site administrators alone to set, and to nobody to read', async () => {
    const put = async (user: string, tenant: string, name = 'ldap.people') => {
      const somebody = await platform.as(user, tenant);
      const path = `/v3/oauth2/admin/directory_secrets/${name}`;
      return (await somebody.send('PUT', path, { password: 'x' })).status;
    };
    expect(await put('admin', 'dev')).toBe(403);
    expect(await put('admin', 'admin', 'totp%2Bdev%2Bx')).toBe(400);
    const site = await platform.as('admin', 'admin');
    const read = '/v3/security/vault/secret/user/ldap.people?tenant=admin&user=authenticator';
    expect([401, 403]).toContain((await site.call('GET', read)).status);
  });
});
