import { freshDatabase, PlatformDouble, until } from '@libs/kit';
import { build, KernelProcess } from './kernel-process';
import { newMasterKey } from './running-kernel';

let double: PlatformDouble;
const env = { DATABASE_URL: '', MASTER_KEY: newMasterKey('k1'), LOG_LEVEL: 'error' };
beforeAll(async () => {
  build();
  double = await PlatformDouble.start();
  env.DATABASE_URL = freshDatabase();
});
afterAll(() => double.close());

const ROUNDS = 4;
const SERVICE = 'systems:testuser1@dev';

/** What a writer was told is done; each can be looked up again. */
interface Done {
  user: string;
  permission: string;
  role: string;
  share: string;
  secret: number;
}

/** Writes one thing of each kind after the other until the kernel dies; answers what it said is done. */
async function writeUntilDead(kernel: KernelProcess, writer: string, done: Done[]): Promise<void> {
  for (let i = 0; ; i++) {
    const name = `${writer}_${i}`;
    const permission = `systems:dev:READ:${name}`;
    const secretPath = `/vault/secret/system/${name}?sysid=s&sysuser=u&keytype=password`;
    try {
      const answers = [
        await kernel.ask(SERVICE, '/user/grantUserPermission', { tenant: 'dev', user: writer, permSpec: permission }),
        await kernel.ask('admin', '/role', { roleTenant: 'dev', roleName: name, description: 'd' }),
        await kernel.ask('admin', '/user/grantRole', { tenant: 'dev', user: writer, roleName: name }),
        await kernel.ask(SERVICE, '/share', {
          tenant: 'dev', grantor: 'a', grantee: writer, resourceType: 'system', resourceId1: name, privilege: 'READ',
        }),
        await kernel.ask(SERVICE, secretPath, { tenant: 'dev', user: writer, data: { password: name } }),
      ]; // prettier-ignore
      for (const { status, text } of answers) if (status >= 300) throw new Error(text);
      const secret = answers[4]!.body.result.version as number;
      done.push({
        user: writer,
        permission,
        role: name,
        share: answers[3]!.body.result.url,
        secret,
      });
    } catch (error) {
      if (/ECONN|socket|closed/i.test(String(error))) return;
      throw error;
    }
  }
}

it('forgets nothing that it answered as done, wherever it is killed', async () => {
  const done: Done[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const kernel = await KernelProcess.start(double, env);
    const before = done.length;
    const writers = [0, 1, 2, 3].map((i) => writeUntilDead(kernel, `w${round}${i}`, done));
    // in the middle of many writes, at another moment each time
    await until(() => done.length >= before + 8 + round * 5, 60_000, 1);
    await kernel.kill();
    await Promise.all(writers);
  }
  const kernel = await KernelProcess.start(double, env);
  const result = async (who: string, path: string, body?: unknown) =>
    (await kernel.ask(who, path, body)).body.result;
  for (const { user, permission, role, share, secret } of done) {
    const who = { tenant: 'dev', user };
    expect(await result(SERVICE, '/user/isPermitted', { ...who, permSpec: permission })).toEqual({
      isAuthorized: true,
    });
    expect(await result(SERVICE, '/user/hasRole', { ...who, roleName: role })).toEqual({
      isAuthorized: true,
    });
    expect(
      (await kernel.ask(SERVICE, `${share.replace('/v3/security', '')}?tenant=dev`)).status,
    ).toBe(200);
    const query = `tenant=dev&user=${user}&sysid=s&sysuser=u&keytype=password`;
    const read = await result(SERVICE, `/vault/secret/system/${role}?${query}`);
    expect([read.secretMap, read.metadata.version]).toEqual([{ password: role }, secret]);
  }
  // and the record has each of them exactly once
  const records = async (action: string) => {
    const query = `tenant=dev&action=${action}&limit=1000`;
    return (await result('admin', `/audit?${query}`)) as { object: string; details: object }[];
  };
  const granted = (await records('user.grantPermission')).map(
    ({ details }) => (details as { permission: string }).permission,
  );
  const roles = (await records('role.create')).map(({ object }) => object);
  for (const { permission, role } of done) {
    expect(granted.filter((one) => one === permission)).toHaveLength(1);
    expect(roles.filter((one) => one === role)).toHaveLength(1);
  }
  await kernel.kill();
  expect(done.length).toBeGreaterThan(ROUNDS * 8);
});
