// A question to the security kernel about a user with 10,000 permissions in roles nested 20 deep, against one about a
// user with none.
import { Client } from 'pg';
import { request } from 'undici';
import { databaseUrl } from '@libs/database';
import { withPlatform } from './bench-platform';
import { main, pairs, reportPairs, timed } from './measure';

const DEPTH = 20;
const PERMISSIONS = 10_000;
const QUESTIONS = Number(process.env.BENCH_QUESTIONS ?? 400);

main(() =>
  withPlatform(async ({ platform, databaseUrl: server }) => {
    await fill(databaseUrl(server, 'svc_security'));
    const { token } = await platform.as('admin');
    const ask = async (user: string, permSpec: string, expected: boolean) => {
      const answer = await request(
        `http://127.0.0.1:${platform.port}/v3/security/user/isPermitted`,
        {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            host: platform.hostOf('dev'),
            [platform.header('Token')]: token!,
          },
          body: JSON.stringify({ tenant: 'dev', user, permSpec }),
        },
      );
      const { result } = (await answer.body.json()) as { result: { isAuthorized: boolean } };
      if (result?.isAuthorized !== expected)
        throw new Error(`${user} ${permSpec}: ${answer.statusCode} ${JSON.stringify(result)}`);
    };
    /** Some that the deepest role permits, some that nothing does; the answers are looked at. */
    const many = (user: string, holds: boolean) => async () => {
      const ms = await timed(async () => {
        for (let i = 0; i < QUESTIONS; i++) {
          const held = i % 2 === 0;
          const id = held ? PERMISSIONS - 1 - i : `nothing${i}`;
          await ask(user, `systems:dev:READ:s${id}`, held && holds);
        }
      });
      return ms / QUESTIONS;
    };
    const [ours, baseline] = [many('heavy', true), many('nobody', false)];
    const first = await timed(() => ask('heavy', 'systems:dev:READ:s1', true));
    await ours();
    await baseline();
    reportPairs('sk-permitted', 'ms', await pairs(7, ours, baseline), {
      permissions: PERMISSIONS,
      depth: DEPTH,
      firstAfterChangeMs: first,
      goal: 1.5,
    });
  }),
);

/** The roles, each below the one before, with an equal share of the permissions; the user holds the topmost. */
async function fill(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    `INSERT INTO role (tenant, name, type, owner, owner_tenant, created_by, created_by_tenant, updated_by, updated_by_tenant)
     SELECT 'dev', 'deep' || i, 'USER', 'admin', 'dev', 'admin', 'dev', 'admin', 'dev' FROM generate_series(1, $1::int) i`,
    [DEPTH],
  );
  await client.query(
    `INSERT INTO role_tree (parent_id, child_id) SELECT a.id, b.id FROM generate_series(2, $1::int) i
     JOIN role a ON a.name = 'deep' || (i - 1) JOIN role b ON b.name = 'deep' || i`,
    [DEPTH],
  );
  await client.query(
    `INSERT INTO role_permission (role_id, permission, schema)
     SELECT r.id, 'systems:dev:READ:s' || i, 'systems' FROM generate_series(0, $2::int - 1) i
     JOIN role r ON r.name = 'deep' || (i * $1::int / $2::int + 1)`,
    [DEPTH, PERMISSIONS],
  );
  await client.query(
    `INSERT INTO user_role (tenant, username, role_id) SELECT 'dev', 'heavy', id FROM role WHERE name = 'deep1'`,
  );
  await client.end();
}
