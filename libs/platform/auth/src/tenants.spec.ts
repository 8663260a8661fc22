import type { Caller } from './caller';
import type { Directory } from './directory';
import { routingProblem } from './routing-problem';
import { Tenants } from './tenants';

const site = (site_id: string, primary: boolean, services: string[]) => ({
  site_id,
  primary,
  base_url: `https://${site_id}.example.org`,
  tenant_base_url_template: primary ? 'https://${tenant_id}.example.org' : null,
  site_admin_tenant_id: `${site_id}-admin`,
  services,
});
const tenant = (tenant_id: string, site_id: string, base_url: string, status = 'ACTIVE') => ({
  tenant_id,
  site_id,
  base_url,
  status,
  public_key: `key of ${tenant_id}`,
  token_service: '',
});

const directory = (): Directory => ({
  sites: [
    site('main', true, ['systems', 'jobs', 'security', 'tokens', 'tenants']),
    site('far', false, ['systems', 'security', 'tokens']),
  ],
  tenants: [
    tenant('main-admin', 'main', 'https://main-admin.example.org'),
    tenant('far-admin', 'far', 'https://far-admin.example.net'),
    tenant('dev', 'main', 'http://localhost:3000'),
    tenant('lab', 'far', 'https://lab.example.net'),
    tenant('templated', 'main', 'https://elsewhere.example.org'),
    tenant('idle', 'main', 'https://idle.example.org', 'INACTIVE'),
  ],
});

async function tenants(
  siteId = 'main',
  now?: () => number,
  loads = { count: 0 },
): Promise<Tenants> {
  const source = {
    load: () => {
      loads.count++;
      return Promise.resolve(directory());
    },
  };
  const made = new Tenants(source, siteId, now);
  await made.refresh();
  return made;
}

it.each([
  ['localhost:3000', 'dev'],
  ['127.0.0.1:3000', 'dev'],
  ['127.0.0.1', 'dev'],
  ['[::1]:3000', 'dev'],
  ['LOCALHOST:3000', 'dev'],
  ['localhost:4000', 'dev'],
  ['lab.example.net', 'lab'],
  ['lab.example.net:443', 'lab'],
  ['templated.example.org', 'templated'],
  ['elsewhere.example.org', 'templated'],
  ['idle.example.org', undefined],
  ['unknown.example.org', undefined],
  ['127.0.0.1.evil.org', undefined],
  ['localhost.evil.org', undefined],
  ['', undefined],
])('host %s is tenant %s', async (host, id) => {
  expect((await tenants()).byHost(host)?.tenant_id).toBe(id);
});

it.each([
  ['dev', 'dev', true],
  ['dev', 'lab', false],
  ['main-admin', 'dev', true],
  ['main-admin', 'lab', true],
  ['main-admin', 'far-admin', true],
  ['far-admin', 'lab', true],
  ['far-admin', 'dev', false],
  ['far-admin', 'main-admin', false],
  ['main-admin', 'nowhere', false],
  ['main-admin', 'idle', false],
])('%s may act for %s: %s', async (who, other, may) => {
  expect((await tenants()).mayActFor(who, other)).toBe(may);
});

it.each<[string, string, string, string, boolean]>([
  // service, here, tenant, tenant of the token, served
  ['systems', 'main', 'dev', 'dev', true],
  ['systems', 'main', 'lab', 'lab', false],
  ['jobs', 'main', 'lab', 'lab', true],
  ['systems', 'far', 'lab', 'lab', true],
  ['systems', 'far', 'dev', 'dev', false],
  ['tokens', 'main', 'lab', 'far-admin', false],
  ['tokens', 'main', 'lab', 'main-admin', true],
  ['security', 'far', 'lab', 'main-admin', false],
  ['security', 'far', 'lab', 'far-admin', true],
  ['security', 'main', 'dev', 'dev', true],
  ['files', 'main', 'dev', 'dev', false],
  ['jobs', 'far', 'lab', 'lab', false],
  ['systems', 'far', 'lab', 'main-admin', true],
  ['tenants', 'main', 'lab', 'lab', true],
  ['tenants', 'far', 'lab', 'lab', false],
])('%s at %s serves %s (token of %s): %s', async (service, here, of, jwtTenant, served) => {
  const accountType = jwtTenant.endsWith('-admin') ? 'service' : 'user';
  const caller = { tenant: of, jwtTenant, accountType } as Caller;
  expect(routingProblem(service, caller, await tenants(here)) === undefined).toBe(served);
});

it('looks again for something unknown, but not all the time', async () => {
  let now = 1_000_000;
  const loads = { count: 0 };
  const list = await tenants('main', () => now, loads);
  expect(await list.look()).toBe(true);
  expect(await list.look()).toBe(false);
  now += 10_001;
  expect(await list.look()).toBe(true);
  expect(loads.count).toBe(3);
});

it('tells what a look has found, so that others need not look', async () => {
  const current = directory();
  const list = new Tenants(
    { load: () => Promise.resolve(structuredClone(current)) },
    'main',
    () => 1e9,
  );
  const heard = jest.fn();
  list.onNews(heard);
  await list.refresh();
  expect(heard).not.toHaveBeenCalled();
  current.tenants[2]!.public_key = 'another';
  await list.look();
  await list.look();
  expect(heard).toHaveBeenCalledTimes(1);
});

it('has people in administrative tenants at the primary site only', async () => {
  const list = await tenants();
  expect(['dev', 'lab', 'main-admin', 'far-admin'].map((id) => list.mayHavePeople(id))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

it('tells of changes only when there is one', async () => {
  const current = directory();
  const list = new Tenants({ load: () => Promise.resolve(structuredClone(current)) }, 'main');
  const heard = jest.fn();
  list.onChange(heard);
  await list.refresh();
  await list.refresh();
  expect(heard).toHaveBeenCalledTimes(1);
  current.tenants[2]!.public_key = 'another';
  await list.refresh();
  expect(heard).toHaveBeenCalledTimes(2);
});
