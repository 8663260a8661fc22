import { PlatformProcess, type Session, unique } from '@libs/flows';
import { AccessMatrix } from '../fixtures/access-matrix';
import { end } from '../fixtures/end';

/** Nothing listens there: whoever comes as far as the host gets 502, or 400 when a credential is tried. */
const system = (id: string) => ({
  id,
  systemType: 'LINUX',
  host: '127.0.0.1',
  port: 1,
  rootDir: '/',
  defaultAuthnMethod: 'PASSWORD',
  canExec: true,
  jobWorkingDir: '/work',
  jobRuntimes: [{ runtimeType: 'ZIP' }],
  allowChildren: true,
});
const password = (owner: Session, systemId: string, user: string) =>
  owner.ask('POST', `/v3/systems/credential/${systemId}/user/${user}?skipCredentialCheck=true`, {
    password: 'unseen',
  });
const users = () => ({ users: ['testuser9'] });

/** Who may do what with a system (systems-apps contract 1.2, 2.5 to 2.9; rulings 34, 50 and 57). */
const matrix = new AccessMatrix({
  service: 'systems',
  root: '/v3/systems',
  services: { service: 'files', otherService: 'apps' },
  table: `
                                                 owner READ MODIFY EXECUTE share public admin service otherService stranger otherTenant siteAdmin
    GET /v3/systems                                200  200    200     200   200    200   200     200          200      200         200       401
    GET /v3/systems?impersonationId=testuser8      403  403    403     403   403    403   200     200          200      403         200       401
    GET /v3/systems/search                         200  200    200     200   200    200   200     200          200      200         200       401
    POST /v3/systems/search                        200  200    200     200   200    200   200     200          200      200         200       401
    POST /v3/systems/match/constraints             501  501    501     501   501    501   501     501          501      501         501       401
    POST /v3/systems                               201  201    201     201   201    201   201     201          201      201         201       401
    GET /v3/systems/{systemId}                     200  200    200     404   200    200   200     200          200      404         404       401
    GET /v3/systems/{systemId}?requireExecPerm=true        200 403 403 404 200 200 200 200 200 404 404 401
    GET /v3/systems/{systemId}?returnCredentials=true      403 403 403 403 403 403 403 200 403 403 403 401
    GET /v3/systems/{systemId}?sharedAppCtx=testuser1      403 403 403 403 403 403 403 200 403 403 403 401
    GET /v3/systems/{systemId}?resourceTenant=dev          403 403 403 403 403 403 403 403 403 403 403 401
    GET /v3/systems/{systemId}?impersonationId=testuser1   200 403 403 403 403 403 200 200 200 403 404 401
    PATCH /v3/systems/{systemId}                   200  403    200     404   403    403   200     200          200      404         404       401
    PUT /v3/systems/{systemId}                     200  403    200     404   403    403   200     200          200      404         404       401
    GET /v3/systems/{systemId}/isEnabled           200  200    200     404   200    200   200     200          200      404         404       401
    GET /v3/systems/{systemId}/history             200  200    200     404   200    200   200     200          200      404         404       401
    POST /v3/systems/{systemId}/enable             200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/systems/{systemId}/disable            200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/systems/{systemId}/delete             200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/systems/{systemId}/undelete           200  404    404     404   404    404   200     200          200      404         404       401
    POST /v3/systems/{systemId}/changeOwner/{userName}     200 403 403 404 403 403 200 200 200 404 404 401
    GET /v3/systems/{systemId}/hostEval/{envVarName}       502 502 502 404 502 502 502 502 502 404 404 401
    POST /v3/systems/{systemId}/hostKey            403  403    403     403   403    403   403     200          403      403         403       401
    DELETE /v3/systems/{systemId}/hostKey          200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/systems/{systemId}/createChildSystem  201  201    201     404   201    201   201     201          201      404         404       401
    POST /v3/systems/{systemId}/unlinkFromParent   200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/systems/{systemId}/unlinkChildren?all=true    200 403 403 404 403 403 200 200 200 404 404 401
    POST /v3/systems/credential/{systemId}/user/{userName}?skipCredentialCheck=true         200 403 403 404 403 403 200 200 200 404 404 401
    POST /v3/systems/credential/{systemId}/user/{userName}?skipCredentialCheck=true [self]  200 200 200 404 200 200 200 200 200 404 404 401
    GET /v3/systems/credential/{systemId}/user/{userName}            403 403 403 403 403 403 403 200 403 403 403 401
    DELETE /v3/systems/credential/{systemId}/user/{userName}         200 403 403 404 403 403 200 200 200 404 404 401
    DELETE /v3/systems/credential/{systemId}/user/{userName} [self]  200 200 200 404 200 200 200 200 200 404 404 401
    POST /v3/systems/credential/{systemId}/user/{userName}/check     400 403 403 404 403 403 400 400 400 404 404 401
    GET /v3/systems/credential/{systemId}/globus/authUrl             400 400 400 404 400 400 400 400 400 404 404 401
    POST /v3/systems/credential/{systemId}/user/{userName}/globus/tokens/{authCode}/{sessionId}        400 403 403 404 403 403 400 400 400 404 404 401
    POST /v3/systems/credential/{systemId}/user/{userName}/globus/tokens/{authCode}/{sessionId} [self] 400 400 400 404 400 400 400 400 400 404 404 401
    GET /v3/systems/perms/{systemId}/user/{userName}  200 200 200 404 403 403 200 200 200 404 404 401
    POST /v3/systems/perms/{systemId}/user/{userName} 200 403 403 404 403 403 200 200 200 404 404 401
    POST /v3/systems/perms/{systemId}/user/{userName}/revoke                 200 403 403 404 403 403 200 200 200 404 404 401
    POST /v3/systems/perms/{systemId}/user/{userName}/revoke [self]          200 200 200 200 200 200 200 200 200 404 404 401
    DELETE /v3/systems/perms/{systemId}/user/{userName}/{permission}         200 403 403 404 403 403 200 200 200 404 404 401
    DELETE /v3/systems/perms/{systemId}/user/{userName}/{permission} [self]  200 200 200 200 200 200 200 200 200 404 404 401
    GET /v3/systems/share/{systemId}               200  200    200     404   200    200   200     200          200      404         404       401
    POST /v3/systems/share/{systemId}              200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/systems/unshare/{systemId}            200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/systems/share_public/{systemId}       200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/systems/unshare_public/{systemId}     200  403    403     404   403    403   200     200          200      404         404       401
    GET /v3/systems/schedulerProfile               200  200    200     200   200    200   200     200          200      200         200       401
    POST /v3/systems/schedulerProfile              201  201    201     201   201    201   201     201          201      201         201       401
    GET /v3/systems/schedulerProfile/{name}        200  200    200     200   200    200   200     200          200      200         404       401
    DELETE /v3/systems/schedulerProfile/{name}     200  403    403     403   403    403   200     200          200      403         200       401
  `,
  async make(owner) {
    const systemId = unique('matrix');
    await owner.ask('POST', '/v3/systems', system(systemId));
    return { systemId, permission: 'READ', envVarName: 'HOME', authCode: 'c', sessionId: 's' };
  },
  before: {
    'POST /v3/systems/{systemId}/undelete': (owner, { systemId }) =>
      owner.ask('POST', `/v3/systems/${systemId}/delete`),
    async 'GET /v3/systems/{systemId}/hostEval/{envVarName}'(owner, { systemId }) {
      await owner.ask('PATCH', `/v3/systems/${systemId}`, { effectiveUserId: 'runner' });
      await password(owner, systemId!, 'runner');
    },
    'GET /v3/systems/credential/{systemId}/user/{userName}': (owner, { systemId }) =>
      password(owner, systemId!, 'testuser9'),
    'POST /v3/systems/credential/{systemId}/user/{userName}/check': (owner, { systemId }) =>
      password(owner, systemId!, 'testuser9'),
    'GET /v3/systems/schedulerProfile/{name}': profile,
    'DELETE /v3/systems/schedulerProfile/{name}': profile,
  },
  body: {
    'POST /v3/systems': () => system(unique('made')),
    'POST /v3/systems/search': () => ({ search: ["owner = 'testuser1'"] }),
    'POST /v3/systems/schedulerProfile': () => ({ name: unique('profile') }),
    'PATCH /v3/systems/{systemId}': () => ({ description: 'changed' }),
    'PUT /v3/systems/{systemId}': () => system('x'),
    'POST /v3/systems/{systemId}/hostKey': () => ({ fingerprint: 'SHA256:abc' }),
    'POST /v3/systems/{systemId}/createChildSystem': () => ({}),
    'POST /v3/systems/{systemId}/unlinkChildren?all=true': () => ({}),
    'POST /v3/systems/credential/{systemId}/user/{userName}?skipCredentialCheck=true': () => ({
      password: 'p',
    }),
    'POST /v3/systems/credential/{systemId}/user/{userName}?skipCredentialCheck=true [self]':
      () => ({ password: 'p' }),
    'POST /v3/systems/share/{systemId}': users,
    'POST /v3/systems/unshare/{systemId}': users,
  },
});

async function profile(owner: Session, values: Record<string, string>): Promise<void> {
  values['name'] = unique('profile');
  await owner.ask('POST', '/v3/systems/schedulerProfile', { name: values['name'] });
}

describe('who may do what with a system', () => {
  let platform: PlatformProcess;

  beforeAll(async () => {
    platform = await PlatformProcess.start();
  });
  afterAll(() => end(platform));

  it('is said of every route', () => {
    expect(matrix.missing()).toEqual([]);
  });

  it.each(matrix.rows)('$name', async (row) => {
    expect(await matrix.wrong(platform, row)).toEqual([]);
  });
});
