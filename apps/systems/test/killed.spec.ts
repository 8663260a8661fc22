import {
  buildServices,
  call,
  freshDatabase,
  PlatformDouble,
  ServiceProcess,
  until,
} from '@libs/kit';
import type { CallAnswer } from '@libs/kit';
import { linux } from './systems-service';

let double: PlatformDouble;
let database: string;
const running = new Set<ServiceProcess>();

beforeAll(async () => {
  buildServices();
  double = await PlatformDouble.start();
  database = freshDatabase();
});
afterAll(async () => {
  await Promise.all([...running].map((process) => process.kill()));
  await double.close();
});

async function start(): Promise<ServiceProcess> {
  const process = new ServiceProcess(
    'systems',
    double.env({ DATABASE_URL: database, ABANDONED_SECONDS: '1' }),
  );
  running.add(process);
  return process.ready();
}
const send = (
  to: ServiceProcess,
  method: string,
  path: string,
  body?: object,
  user = 'testuser1',
): Promise<CallAnswer> =>
  call(`${to.url}/v3/systems${path}`, { method, headers: double.as(user), body });

/** The process is killed before, or right after, the kernel does what it was asked. */
function killAt(process: ServiceProcess, end: string, after: boolean): () => void {
  const { security } = double;
  const answer = security.answer.bind(security);
  let dead = false;
  const spy = jest.spyOn(security, 'answer').mockImplementation((request) => {
    if (dead || !request.path.includes(end)) return answer(request);
    dead = true;
    const answered = after ? answer(request) : null;
    process.signal('SIGKILL');
    return answered;
  });
  return () => spy.mockRestore();
}
const holds = (user: string, id: string) =>
  double.security.permissions.get(JSON.stringify(['dev', user]))?.has(`files:dev:*:${id}`) ?? false;

it.each([
  ['before the secret is stored', '/vault/secret/', false],
  ['after the secret is stored', '/vault/secret/', true],
  ['before the right to files is granted', 'grantUserPermission', false],
  ['after the right to files is granted', 'grantUserPermission', true],
])('killed %s, a creation leaves nothing and its id is free', async (what, end, after) => {
  const id = what.replaceAll(' ', '-');
  const body = linux(id, {
    effectiveUserId: 'runner',
    defaultAuthnMethod: 'PASSWORD',
    authnCredential: { password: 'p' },
  });
  const secrets = double.security.secrets.size;
  const first = await start();
  const back = killAt(first, end, after);
  const sent = send(first, 'POST', '?skipCredentialCheck=true', body).catch(() => undefined);
  expect(await first.gone()).toBe('SIGKILL');
  await sent;
  back();
  running.delete(first);
  expect(holds('testuser1', id)).toBe(end === 'grantUserPermission' && after);
  expect(double.security.secrets.size).toBe(secrets + (end === '/vault/secret/' && !after ? 0 : 1));

  const second = await start();
  expect((await send(second, 'GET', `/${id}`)).status).toBe(404);
  await until(() => !holds('testuser1', id) && double.security.secrets.size === secrets);
  const again = await send(second, 'POST', '?skipCredentialCheck=true', body, 'testuser2');
  expect([again.status, again.body.message]).toEqual([201, expect.any(String)]);
  expect([holds('testuser1', id), holds('testuser2', id)]).toEqual([false, true]);
  await second.kill();
  running.delete(second);
});
