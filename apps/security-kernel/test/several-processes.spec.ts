import { RunningKernel } from './running-kernel';

let one: RunningKernel;
let two: RunningKernel;
beforeAll(async () => {
  one = await RunningKernel.start();
  two = await one.another();
});
afterAll(() => one.close());

const who = (user: string, more: object = {}) => ({ tenant: 'dev', user, ...more });
const role = (roleName: string) => ({ roleTenant: 'dev', roleName });
const make = (roleName: string, on = one) =>
  on.result('admin', '/role', { ...role(roleName), description: 'd' });
const post = (path: string, body: object, on = one) => on.result('admin', path, body);
const isPermitted = async (user: string, permSpec: string) => {
  const answers = await Promise.all(
    [one, two].map((on) => on.result('admin', '/user/isPermitted', who(user, { permSpec }))),
  );
  expect(answers[0]).toEqual(answers[1]);
  return (answers[0] as { isAuthorized: boolean }).isAuthorized;
};

describe('a change in one process counts at once in all', () => {
  const permSpec = 'stream:dev:read:p1';

  it('of the permissions of a user', async () => {
    for (let i = 0; i < 5; i++) {
      expect(await isPermitted('u1', permSpec)).toBe(false);
      await post('/user/grantUserPermission', who('u1', { permSpec }), i % 2 ? one : two);
      expect(await isPermitted('u1', permSpec)).toBe(true);
      await post('/user/revokeUserPermission', who('u1', { permSpec }), i % 2 ? two : one);
    }
  });

  it('of a role deep below, of the nesting and of the grant', async () => {
    for (const name of ['r1', 'r2', 'r3']) await make(name);
    const nest = (parentRoleName: string, childRoleName: string) => ({
      roleTenant: 'dev',
      parentRoleName,
      childRoleName,
    });
    await post('/role/addPerm', { ...role('r3'), permSpec });
    await post('/role/addChild', nest('r1', 'r2'));
    const grant = who('u2', { roleName: 'r1' });
    const steps: [string, object, boolean][] = [
      ['/user/grantRole', grant, false],
      ['/role/addChild', nest('r2', 'r3'), true],
      ['/role/removePerm', { ...role('r3'), permSpec }, false],
      ['/role/addPerm', { ...role('r3'), permSpec }, true],
      ['/role/removeChild', nest('r1', 'r2'), false],
      ['/role/addChild', nest('r1', 'r2'), true],
      ['/user/revokeRole', grant, false],
      ['/user/grantRole', grant, true],
    ];
    for (const [i, [path, body, then]] of steps.entries()) {
      await post(path, body, i % 2 ? one : two);
      expect([path, await isPermitted('u2', permSpec)]).toEqual([path, then]);
    }
    await one.ask('admin', '/role/r2?tenant=dev', { method: 'DELETE' });
    expect(await isPermitted('u2', permSpec)).toBe(false);
  });

  it('of a name, and of what is taken from everybody', async () => {
    await make('before');
    await post('/user/grantRole', who('u3', { roleName: 'before' }));
    const has = (roleName: string) =>
      Promise.all(
        [one, two].map((on) => on.result('admin', '/user/hasRole', who('u3', { roleName }))),
      );
    expect(await has('after')).toEqual([{ isAuthorized: false }, { isAuthorized: false }]);
    await post('/role/updateName/before', { roleTenant: 'dev', newRoleName: 'after' }, two);
    expect(await has('after')).toEqual([{ isAuthorized: true }, { isAuthorized: true }]);
    expect(await has('before')).toEqual([{ isAuthorized: false }, { isAuthorized: false }]);
    await post('/user/grantUserPermission', who('u3', { permSpec }));
    expect(await isPermitted('u3', permSpec)).toBe(true);
    await two.result('systems:x@dev', '/role/removePermFromAllRoles', { tenant: 'dev', permSpec });
    expect(await isPermitted('u3', permSpec)).toBe(false);
  });

  it('and not in another tenant, nor for another user', async () => {
    await post('/user/grantUserPermission', who('u4', { permSpec }));
    const other = { tenant: 'other', user: 'u4', permSpec };
    expect(await one.result('admin@other', '/user/isPermitted', other)).toEqual({
      isAuthorized: false,
    });
    expect(await isPermitted('u5', permSpec)).toBe(false);
    // a role of the same name as a user's own
    await make('u5');
    await post('/role/addPerm', { ...role('u5'), permSpec });
    expect(await isPermitted('u5', permSpec)).toBe(false);
  });
});

describe('changes at the same time', () => {
  it('never close a circle of roles', async () => {
    const names = ['c0', 'c1', 'c2', 'c3', 'c4'];
    for (const name of names) await make(name);
    for (let round = 0; round < 5; round++) {
      const edges = names.flatMap((a) => names.filter((b) => b !== a).map((b) => [a, b] as const));
      const answers = await Promise.all(
        edges
          .sort(() => Math.random() - 0.5)
          .map(([parentRoleName, childRoleName], i) =>
            [one, two][i % 2]!.ask('admin', '/role/addChild', {
              body: { roleTenant: 'dev', parentRoleName, childRoleName },
            }),
          ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
      const circles = await one.rows(
        `WITH RECURSIVE below AS (SELECT parent_id AS top, child_id AS id FROM role_tree
           UNION SELECT b.top, t.child_id FROM below b JOIN role_tree t ON t.parent_id = b.id)
         SELECT 1 FROM below WHERE top = id`,
      );
      expect(circles).toEqual([]);
      await one.rows('DELETE FROM role_tree');
    }
  });

  it('of the same things all come through, none fails', async () => {
    const users = ['m1', 'm2', 'm3'];
    const permSpec = 'systems:dev:READ:busy';
    const work = Array.from({ length: 60 }, (_, i) => {
      const on = [one, two][i % 2]!;
      const user = users[i % 3]!;
      if (i % 5 === 4)
        return on.ask('systems:x@dev', '/role/removePermFromAllRoles', {
          body: { tenant: 'dev', permSpec },
        });
      const path = i % 3 ? '/user/grantUserPermission' : '/user/revokeUserPermission';
      return on.ask('systems:x@dev', path, { body: who(user, { permSpec }) });
    });
    expect((await Promise.all(work)).map(({ status }) => status)).toEqual(work.map(() => 200));
  });

  it('make a new name once: the second is told', async () => {
    await make('x1');
    await make('x2');
    const answers = await Promise.all(
      ['x1', 'x2'].map((name, i) =>
        [one, two][i]!.ask('admin@admin', `/role/updateName/${name}`, {
          body: { roleTenant: 'dev', newRoleName: 'x3' },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('leave one administrator', async () => {
    for (const user of ['a1', 'a2', 'a3']) await post('/user/grantAdminRole', who(user));
    const users = ['admin', 'a1', 'a2', 'a3'];
    const answers = await Promise.all(
      users.map((user, i) =>
        [one, two][i % 2]!.ask('admin@admin', '/user/revokeAdminRole', { body: who(user) }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400]);
    expect(await one.result('admin@admin', '/user/admins/dev')).toMatchObject({
      names: [expect.any(String)],
    });
  });
});
