import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Tenants } from '@libs/auth';
import { call, freshDatabase, PlatformDouble, Slapd, slapdMissing } from '@libs/kit';
import { createService, type RunningService } from '@libs/service-kit';
import { SignIn } from '../src/actions/sign-in';
import { TenantConfigs } from '../src/actions/tenant-configs';
import { UserSources } from '../src/actions/user-sources';
import type { TenantConfig } from '../src/domain/tenant-config';
import { authenticator } from '../src/service';

const person = (
  uid: string,
  more = '',
) => `dn: uid=${uid.replace(',', '\\2C')},ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: ${uid}
cn: ${uid}
sn: Example
userPassword: ${uid}-password
${more}
`;
const PEOPLE = `dn: ou=people,dc=example,dc=org
objectClass: organizationalUnit
ou: people

${person('ann', 'givenName: Ann\nmail: ann@example.org\ntelephoneNumber: 123\nmobile: 456\ndepartmentNumber: physics\n')}
${person('bob', 'mail: bob@example.org\ndepartmentNumber: chemistry\n')}
${person('o,dd')}
${person('zoe')}`;

const missing = slapdMissing();
(missing ? describe.skip : describe)(`people of an LDAP directory ${missing ?? ''}`, () => {
  let slapd: Slapd;
  let double: PlatformDouble;
  let service: RunningService;
  const records: Record<string, object> = {};

  beforeAll(async () => {
    slapd = await Slapd.start(PEOPLE);
    double = await PlatformDouble.start();
    double.serve('GET', '/v3/tenants/ldaps/:id', ({ params }) => records[params['id']!]);
    for (const [name, password] of Object.entries({
      'ldap.reader': slapd.readerPassword,
      'ldap.wrong': 'wrong',
    }))
      await call(`${double.url}/v3/security/vault/secret/user/${name}`, {
        body: { tenant: 'admin', user: 'authenticator', data: { password } },
      });
    service = await createService(
      authenticator,
      double.env({
        LOG_LEVEL: 'silent',
        DATABASE_URL: freshDatabase(),
        LDAP_CA_FILE: slapd.caFile,
      }),
    );
  });
  afterAll(async () => {
    await service?.close();
    await double?.close();
    await slapd?.close();
  });

  let made = 0;
  const record = (more: object = {}) => ({
    ldap_id: `people-${++made}`,
    url: 'ldap://localhost',
    port: slapd.port,
    use_ssl: false,
    user_dn: `uid=\${username},ou=people,${slapd.base}`,
    bind_dn: slapd.readerDn,
    bind_credential: 'ldap.reader',
    account_type: 'user',
    ...more,
  });
  /** Points the tenant at a directory. */
  const use = async (more: object = {}, rules?: object) => {
    const ldap = record(more);
    records[ldap.ldap_id] = ldap;
    const tenant = double.directory.tenants.find(({ tenant_id }) => tenant_id === 'dev')!;
    Object.assign(tenant, { user_ldap_connection_id: ldap.ldap_id });
    await service.get(Tenants).refresh();
    const configs = service.get(TenantConfigs);
    jest.restoreAllMocks();
    const of = configs.of.bind(configs);
    jest.spyOn(configs, 'of').mockImplementation(async (id) => ({
      ...((await of(id)) as TenantConfig),
      custom_idp_configuration: rules ? { ldap: rules } : {},
    }));
    return service.get(UserSources).of('dev');
  };

  it.each([
    ['ldap', () => ({})],
    ['ldaps', () => ({ use_ssl: true, url: 'ldaps://localhost', port: slapd.tlsPort })],
    ['ldaps, the port in the URL', () => ({ url: `ldaps://localhost:${slapd.tlsPort}`, port: 1 })],
  ])('lets in who has the password, over %s', async (_, more) => {
    const people = await use(more());
    expect(await people.authenticate('ann', 'ann-password')).toEqual({
      username: 'ann',
      dn: `uid=ann,ou=people,${slapd.base}`,
      given_name: 'Ann',
      last_name: 'Example',
      email: 'ann@example.org',
      phone: '123',
      mobile_phone: '456',
      create_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
      uid: 'ann',
    });
    expect(await people.authenticate('ann', 'wrong')).toBeNull();
    expect(await people.authenticate('nobody', 'ann-password')).toBeNull();
  });

  it.each([
    [19, 'locked there'],
    [48, 'an entry without a password'],
    [53, 'disabled there'],
  ])('lets nobody in whom the server refuses with %i: %s', async (code) => {
    const server = createServer((socket) => {
      // the answer to a bind, and nothing else
      socket.on('data', (asked: Buffer) => {
        if (asked[5] !== 0x60) return socket.end();
        socket.write(Buffer.from([48, 12, 2, 1, asked[4]!, 0x61, 7, 10, 1, code, 4, 0, 4, 0]));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const people = await use({ url: 'ldap://127.0.0.1', port });
    expect(await people.authenticate('ann', 'ann-password')).toBeNull();
    server.close();
  });

  it('takes an empty password from nobody', async () => {
    const people = await use();
    expect(await people.authenticate('ann', '')).toBeNull();
    expect(await people.authenticate('', '')).toBeNull();
    expect(await people.authenticate('', 'x')).toBeNull();
  });

  it('takes names as text, in DNs and in filters', async () => {
    const people = await use();
    for (const hostile of ['*', 'ann)(uid=*', 'ann,ou=people', 'a\0nn', '\\2a', 'an*'])
      expect(await people.authenticate(hostile, 'ann-password')).toBeNull();
    for (const hostile of ['*', 'ann)(|(uid=*', 'an*'])
      expect(await people.profile(hostile)).toBeNull();
    expect(await people.authenticate('o,dd', 'o,dd-password')).toMatchObject({
      username: 'o,dd',
    });
  });

  it('gives one person one name, however it is typed', async () => {
    const people = await use();
    for (const typed of ['ANN', 'Ann', ' ann'])
      expect(await people.authenticate(typed, 'ann-password')).toMatchObject({ username: 'ann' });
  });

  it('lists people page by page', async () => {
    const people = await use();
    const names = async (limit: number, offset: number) =>
      (await people.profiles(limit, offset))!.map((p) => p.username);
    expect(await names(10, 0)).toEqual(['ann', 'bob', 'o,dd', 'zoe']);
    expect(await names(2, 0)).toEqual(['ann', 'bob']);
    expect(await names(2, 2)).toEqual(['o,dd', 'zoe']);
    expect(await names(2, 4)).toEqual([]);
    expect(await people.profile('bob')).toMatchObject({ email: 'bob@example.org' });
    expect(await people.profile('nobody')).toBeNull();
  });

  it('keeps to the search rules of the tenant', async () => {
    const base = { user_dn: `ou=people,${slapd.base}` };
    const byMail = await use(base, { user_search_filter: '(mail=${username})' });
    // found by mail first, then bound as the entry that was found
    expect(await byMail.authenticate('bob@example.org', 'bob-password')).toMatchObject({
      dn: `uid=bob,ou=people,${slapd.base}`,
    });
    expect(await byMail.authenticate('bob', 'bob-password')).toBeNull();
    expect(await byMail.authenticate('nobody@example.org', 'bob-password')).toBeNull();
    const physics = await use(
      {},
      { user_search_supplemental_filter: '(departmentNumber=physics)' },
    );
    expect(await physics.authenticate('ann', 'ann-password')).toMatchObject({ username: 'ann' });
    expect(await physics.authenticate('bob', 'bob-password')).toBeNull();
    expect((await physics.profiles(10, 0))!.map((p) => p.username)).toEqual(['ann']);
  });

  it('says which directory fails and why, and never the password', async () => {
    const problem = async (more: object) => {
      const people = await use(more);
      return people.authenticate('ann', 'ann-password').then(
        () => 'no problem',
        (error: Error & { status: number }) => `${error.status} ${error.message}`,
      );
    };
    expect(await problem({ bind_credential: 'ldap.none' })).toMatch(/502 .*ldap\.none/);
    expect(await problem({ bind_credential: 'ldap.wrong' })).toMatch(/502 .*InvalidCredentials/);
    expect(await problem({ port: 1 })).toMatch(/502 .*ECONNREFUSED/);
    // the certificate names localhost alone
    expect(await problem({ use_ssl: true, url: 'ldaps://127.0.0.1', port: slapd.tlsPort })).toMatch(
      /502 .*ERR_TLS_CERT_ALTNAME_INVALID/,
    );
    for (const more of [{ bind_credential: 'ldap.wrong' }, { port: 1 }])
      expect(await problem(more)).not.toMatch(/ann-password|read-only-please/);
  });

  it('trusts no certificate that its authority did not sign', async () => {
    await use({ use_ssl: true, url: 'ldaps://localhost', port: slapd.tlsPort });
    const other = await createService(
      authenticator,
      double.env({ LOG_LEVEL: 'silent', DATABASE_URL: freshDatabase() }),
    );
    try {
      const people = await other.get(UserSources).of('dev');
      await expect(people.authenticate('ann', 'ann-password')).rejects.toThrow(/SELF_SIGNED/);
    } finally {
      await other.close();
    }
  });

  it('comes back when the directory does', async () => {
    const people = await use();
    await slapd.stop();
    await expect(people.authenticate('ann', 'ann-password')).rejects.toThrow(/ECONNREFUSED/);
    await slapd.start();
    expect(await people.authenticate('ann', 'ann-password')).toMatchObject({ username: 'ann' });
  });

  it('names the person of a token as the directory does', async () => {
    await use();
    const who = { tenant: 'dev', username: 'ANN', address: '127.0.0.1' };
    expect(await service.get(SignIn).byPassword(who, 'ann-password')).toMatchObject({
      username: 'ann',
    });
  });
});
