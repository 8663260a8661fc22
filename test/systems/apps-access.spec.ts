import { PlatformProcess, unique } from '@libs/flows';
import { AccessMatrix } from '../fixtures/access-matrix';
import { end } from '../fixtures/end';

const app = (id: string, version: string) => ({ id, version, containerImage: 'registry/image:1' });
const CREATED = 'POST /v3/apps';

/** Who may do what with an app (systems-apps contract 2.9 and 3.2; rulings 34, 50 and 57). */
const matrix = new AccessMatrix({
  service: 'apps',
  root: '/v3/apps',
  services: { service: 'jobs', otherService: 'files' },
  table: `
                                              owner READ MODIFY EXECUTE share public admin service otherService stranger otherTenant siteAdmin
    GET /v3/apps                                200  200    200     200   200    200   200     200          200      200         200       401
    GET /v3/apps?impersonationId=testuser1      200  403    403     403   403    403   200     200          200      403         200       401
    GET /v3/apps?impersonationId=testuser8      403  403    403     403   403    403   200     200          403      403         200       401
    GET /v3/apps/search                         200  200    200     200   200    200   200     200          200      200         200       401
    POST /v3/apps/search                        200  200    200     200   200    200   200     200          200      200         200       401
    POST /v3/apps                               201  403    201     403   403    403   201     201          201      403         201       401
    GET /v3/apps/{appId}                        200  200    200     404   200    200   200     200          200      404         404       401
    GET /v3/apps/{appId}?requireExecPerm=true   200  403    403     404   200    200   200     200          200      404         404       401
    GET /v3/apps/{appId}?impersonationId=testuser8 403 403 403     403   403    403   404     404          403      403         404       401
    GET /v3/apps/{appId}?resourceTenant=dev     403  403    403     403   403    403   403     403          403      403         403       401
    GET /v3/apps/{appId}/{appVersion}           200  200    200     404   200    200   200     200          200      404         404       401
    PATCH /v3/apps/{appId}/{appVersion}         200  403    200     404   403    403   200     200          200      404         404       401
    PUT /v3/apps/{appId}/{appVersion}           200  403    200     404   403    403   200     200          200      404         404       401
    GET /v3/apps/{appId}/isEnabled              200  200    200     404   200    200   200     200          200      404         404       401
    GET /v3/apps/{appId}/history                200  200    200     404   200    200   200     200          200      404         404       401
    POST /v3/apps/{appId}/enable                200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/apps/{appId}/disable               200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/apps/{appId}/delete                200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/apps/{appId}/undelete              200  404    404     404   404    404   200     200          200      404         404       401
    POST /v3/apps/{appId}/changeOwner/{userName} 200 403   403     404   403    403   200     200          200      404         404       401
    POST /v3/apps/{appId}/{appVersion}/enable   200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/apps/{appId}/{appVersion}/disable  200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/apps/{appId}/{appVersion}/lock     200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/apps/{appId}/{appVersion}/unlock   200  403    403     404   403    403   200     200          200      404         404       401
    GET /v3/apps/perms/{appId}/user/{userName}  200  200    200     404   403    403   200     200          200      404         404       401
    POST /v3/apps/perms/{appId}/user/{userName} 200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/apps/perms/{appId}/user/{userName}/revoke                 200 403 403 404 403 403 200 200 200 404 404 401
    POST /v3/apps/perms/{appId}/user/{userName}/revoke [self]          200 200 200 200 200 200 200 200 200 404 404 401
    DELETE /v3/apps/perms/{appId}/user/{userName}/{permission}         200 403 403 404 403 403 200 200 200 404 404 401
    DELETE /v3/apps/perms/{appId}/user/{userName}/{permission} [self]  200 200 200 200 200 200 200 200 200 404 404 401
    GET /v3/apps/share/{appId}                  200  200    200     404   200    200   200     200          200      404         404       401
    POST /v3/apps/share/{appId}                 200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/apps/unshare/{appId}               200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/apps/share_public/{appId}          200  403    403     404   403    403   200     200          200      404         404       401
    POST /v3/apps/unshare_public/{appId}        200  403    403     404   403    403   200     200          200      404         404       401
  `,
  async make(owner) {
    const appId = unique('app');
    await owner.ask('POST', '/v3/apps', app(appId, '1.0'));
    return { appId, appVersion: '1.0', permission: 'READ' };
  },
  before: {
    'POST /v3/apps/{appId}/undelete': (owner, { appId }) =>
      owner.ask('POST', `/v3/apps/${appId}/delete`),
  },
  body: {
    [CREATED]: ({ appId }) => app(appId!, '2.0'),
    'POST /v3/apps/search': () => ({ search: ["owner = 'testuser1'"] }),
    'PUT /v3/apps/{appId}/{appVersion}': () => ({ containerImage: 'registry/image:2' }),
    'POST /v3/apps/share/{appId}': () => ({ users: ['testuser9'] }),
    'POST /v3/apps/unshare/{appId}': () => ({ users: ['testuser9'] }),
  },
});

describe('who may do what with an app', () => {
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
