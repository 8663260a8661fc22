import { Tenants } from '@libs/auth';
import { loadSettings, ServiceSettings } from '@libs/config';
import { SecurityClient } from '@libs/security-client';
import { HttpDirectory, PasswordTokens, ServiceClient, Transport } from '@libs/service-client';
import { listen, proxyListener, type Listening } from '@libs/service-kit';
import { RunningKernel } from './running-kernel';

let kernel: RunningKernel;
let front: Listening;
const transports: Transport[] = [];

/** The client that services use, on the way to this address. */
function clientOf(service: string, internalUrl: string): SecurityClient {
  const settings = loadSettings(ServiceSettings, kernel.double.env({ INTERNAL_URL: internalUrl }));
  const transport = new Transport();
  transports.push(transport);
  const tenants = new Tenants(new HttpDirectory(settings, transport), 'primary');
  const tokens = new PasswordTokens(service, settings, tenants, transport);
  const client = new ServiceClient(service, tenants, settings, transport, () => tokens);
  return new SecurityClient(client, service);
}

beforeAll(async () => {
  kernel = await RunningKernel.start();
  kernel.double.security.makeAdmin('dev', 'admin');
  const routes = [
    { prefix: '/v3/security', target: () => kernel.url },
    { prefix: '/v3', target: () => kernel.double.url },
  ];
  front = await listen(proxyListener(routes), '127.0.0.1', 0);
});
afterAll(async () => {
  await Promise.all(transports.map((t) => t.close()));
  await front.close(100);
  await kernel.close();
});

// The double that other services are tested with answers as the kernel does.
describe.each([
  ['the kernel', () => front.url],
  ['its double', () => kernel.double.url],
])('the client and %s', (_, url) => {
  const who = { tenant: 'dev', user: 'testuser1' };
  let systems: SecurityClient;
  let files: SecurityClient;
  beforeAll(() => {
    systems = clientOf('systems', url());
    files = clientOf('files', url());
  });

  it('agree on permissions', async () => {
    expect(await systems.grant(who, 'systems:dev:READ,MODIFY:a')).toBeGreaterThan(0);
    expect(await systems.grant(who, 'systems:dev:READ,MODIFY:a')).toBe(0);
    expect(await systems.isPermitted(who, 'systems:dev:READ:a')).toBe(true);
    expect(await systems.isPermitted(who, 'systems:dev:EXECUTE:a')).toBe(false);
    const both = ['systems:dev:READ:a', 'systems:dev:READ:b'];
    expect(await systems.isPermittedAny(who, both)).toBe(true);
    expect(await systems.isPermittedAll(who, both)).toBe(false);
    expect(await systems.permissionsOf(who, { implies: 'systems:dev:*:a' })).toEqual([
      'systems:dev:READ,MODIFY:a',
    ]);
    expect(await systems.permissionsOf(who, { impliedBy: 'systems:dev:READ:b' })).toEqual([]);
    expect(await systems.usersWithPermission('dev', 'systems:dev:%:a')).toEqual(['testuser1']);
    expect(await systems.revoke(who, 'systems:dev:READ,MODIFY:a')).toBe(1);
    expect(await systems.revoke(who, 'systems:dev:READ,MODIFY:a')).toBe(0);
    expect(await systems.isPermitted(who, 'systems:dev:READ:a')).toBe(false);
  });

  it('agree on what is taken from everybody', async () => {
    for (const path of ['/d', '/d/x']) await files.grant(who, `files:dev:READ:s:${path}`);
    expect(await files.isPermitted(who, 'files:dev:READ:s:/d/y')).toBe(true);
    expect(await files.revokeFromAll('dev', 'files:dev:READ:s:/d')).toBe(1);
    expect(await files.revokePathFromAll('dev', 'files:dev:READ:s:/d/')).toBe(1);
    expect(await files.permissionsOf(who)).toEqual([]);
  });

  it('agree on admins', async () => {
    const admin = { tenant: 'dev', user: 'admin' };
    expect(await systems.isAdmin(admin)).toBe(true);
    expect(await systems.isAdmin(who)).toBe(false);
    expect(await systems.hasRole(admin, '$!tenant_admin')).toBe(true);
    expect(await systems.hasRole(who, 'nobody_made_this')).toBe(false);
    expect(await systems.isPermitted(admin, 'x:y', true)).toBe(true);
  });

  it('agree on shares', async () => {
    const question = {
      tenant: 'dev',
      grantee: 'testuser2',
      resourceType: 'system',
      resourceId1: 's1',
      privilege: 'READ',
    };
    const key = { ...question, grantor: 'testuser1' };
    await systems.share(key);
    await systems.share(key);
    expect(await systems.hasPrivilege(question)).toBe(true);
    expect(await systems.hasPrivilege({ ...question, grantee: 'testuser3' })).toBe(false);
    expect(
      await systems.shares({ tenant: 'dev', resourceType: 'system', resourceId1: 's%' }),
    ).toMatchObject([key]);
    await systems.share({ ...key, grantee: '~public' });
    expect(await systems.hasPrivilege({ ...question, grantee: 'testuser3' })).toBe(true);
    expect(
      await systems.hasPrivilege({ ...question, grantee: 'testuser3', excludePublic: true }),
    ).toBe(false);
    expect(await systems.unshare(key)).toBe(1);
    expect(await systems.unshare(key)).toBe(0);
    expect(await systems.unshare({ ...key, grantee: '~public' })).toBe(1);
    expect(await systems.hasPrivilege(question)).toBe(false);
  });

  it('agree on secrets', async () => {
    const keys = { sysid: 's1', sysuser: 'u1', keytype: 'sshkey' };
    const ref = { type: 'system' as const, name: 'credential', ...who, keys };
    expect(await systems.readSecret(ref)).toBeUndefined();
    await systems.writeSecret(ref, { privateKey: 'first' });
    await systems.writeSecret(ref, { privateKey: 'second' });
    expect(await systems.readSecret(ref)).toEqual({ privateKey: 'second' });
    expect(await systems.readSecret({ ...ref, keys: { ...keys, sysuser: 'u2' } })).toBeUndefined();
    await systems.destroySecret(ref);
    await systems.destroySecret(ref);
    expect(await systems.readSecret(ref)).toBeUndefined();
  });

  it('agree on service passwords', async () => {
    const tokens = clientOf('tokens', url());
    expect(await tokens.isServicePassword('admin', 'systems', 'double')).toBe(true);
    expect(await tokens.isServicePassword('admin', 'systems', 'wrong')).toBe(false);
  });
});
