import { sshd, type Sshd } from '@libs/kit';
import { HostPool } from '../src';

let plain: Sshd;
let talking: Sshd;
const pool = new HostPool({});
beforeAll(async () => {
  // what a start-up file that prints does to every command
  const config = ['ForceCommand echo Welcome; echo "Be nice"; sh -c "$SSH_ORIGINAL_COMMAND"'];
  [plain, talking] = await Promise.all([sshd(), sshd({ config })]);
});
afterAll(async () => {
  await pool.close();
  await Promise.all([plain.close(), talking.close()]);
});

it.each([
  ['a silent host', () => plain],
  ['a host that greets', () => talking],
])('is asked of %s', async (_, server) => {
  const host = pool.host(server().login());
  expect(await host.variable('HOME')).toBe(process.env['HOME']);
  expect(await host.variable('NOT_SET_AT_ALL')).toBe('');
});

it('runs nothing that is not a name', async () => {
  for (const name of ['$(id)', 'A;id', 'A B', '1A', ''])
    await expect(pool.host(plain.login()).variable(name)).rejects.toThrow(TypeError);
});
