import { randomBytes } from 'node:crypto';
import { findLeaks, flow, PlatformProcess, TestHost } from '@libs/flows';
import { COUNTING } from '../fixtures/counting-app';
import { end } from '../fixtures/end';

describe('a secret given to the platform', () => {
  let platform: PlatformProcess;
  let host: TestHost;
  const planted = () => `planted-${randomBytes(12).toString('hex')}`;
  const [password, accessSecret, token] = [planted(), planted(), planted()];

  beforeAll(async () => {
    host = await TestHost.start();
    platform = await PlatformProcess.start({ env: { LOG_LEVEL: 'trace' } });
  });
  afterAll(() => end(platform, [host]));

  it('is in no table outside the security kernel, no log and no answer', async () => {
    const { given, when, then, me } = flow(platform);
    const owner = await me();
    const system = await given.system({ host });
    // each way a secret comes in: with the system, as a credential, refused, wrong, in a body that is no JSON
    const byPassword = await given.system({
      host,
      canExec: false,
      defaultAuthnMethod: 'PASSWORD',
      authnCredential: { password },
      query: '?skipCredentialCheck=true',
    });
    const stores = [
      { systemType: 'S3', bucketName: 'b', defaultAuthnMethod: 'ACCESS_KEY' },
      { systemType: 'GLOBUS', defaultAuthnMethod: 'TOKEN' },
    ];
    for (const store of stores) {
      const id = await given.system({
        host,
        canExec: false,
        ...store,
        authnCredential: {
          accessKey: 'known',
          accessSecret,
          accessToken: token,
          refreshToken: token,
        },
        query: '?skipCredentialCheck=true',
      });
      await owner.call('POST', `/v3/systems/credential/${id}/user/${host.server.user}/check`);
      await owner.send('POST', `/v3/systems/credential/${id}/user/other`, { accessSecret });
      await owner.call('GET', `/v3/systems/${id}/history`);
      await owner.call('GET', `/v3/files/ops/${id}/`);
    }
    const { publicKey, privateKey, user } = host.server;
    const credential = `/v3/systems/credential/${system}/user/${user}`;
    await owner.ask('POST', credential, { publicKey, privateKey });
    await owner.send('POST', credential, { password, surplusField: privateKey });
    await owner.send('POST', credential, `{"password": "${password}", "privateKey": `);
    await owner.send('POST', `/v3/systems/credential/${byPassword}/user/${user}`, { password });
    await owner.call('GET', `/v3/files/ops/${byPassword}/`);
    await platform.anonymous().send('POST', '/v3/oauth2/tokens', {
      grant_type: 'password',
      username: 'testuser3',
      password,
    });
    // and is used: files, a transfer, a job with an archive
    await given.file(system, 'input.txt', 'input');
    const app = await given.app({
      host,
      system,
      script: COUNTING,
      jobAttributes: { archiveSystemId: system, archiveSystemDir: '/archive/${JobUUID}' },
    });
    const fileInputs = [{ sourceUrl: `svc://${system}/input.txt` }];
    const { uuid } = await when.submit(app, { fileInputs });
    await then.job(uuid).reaches('FINISHED');
    for (const path of [
      `/v3/systems/${system}?returnCredentials=true`,
      `/v3/systems/${system}/history`,
      credential,
      `/v3/jobs/${uuid}`,
    ])
      await owner.call('GET', path);
    expect(
      await findLeaks(platform, {
        'the planted password': password,
        'the key': privateKey,
        'the access secret': accessSecret,
        'the token': token,
      }),
    ).toEqual([]);
  });

  it('would be found: the job is in a table, the name of the user in an answer, the start in a log', async () => {
    const [job] = await (await platform.as('testuser1')).ask('GET', '/v3/jobs/list');
    const leaks = await findLeaks(platform, { job: job.uuid });
    expect(leaks.some((place) => /job in .*jobs/.test(place))).toBe(true);
    expect(leaks.some((place) => /job in the answer/.test(place))).toBe(true);
    expect(leaks).toContain('job in the logs');
  });
});
