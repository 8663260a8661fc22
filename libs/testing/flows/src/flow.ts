import { randomBytes } from 'node:crypto';
import { JobOutcome, type JobRecord } from './job-outcome';
import { pack } from './pack';
import type { PlatformProcess } from './platform-process';
import type { Session } from './session';
import { TestHost } from './test-host';

export interface SystemGiven {
  host: TestHost;
  id?: string;
  [attribute: string]: unknown;
}

export interface AppGiven {
  /** The host whose disk holds the image, by absolute path. */
  host: TestHost;
  /** The execution system. */
  system: string;
  /** What the program does, as a shell script. */
  script: string;
  id?: string;
  /** Attributes of the app beside those of its jobs. */
  app?: object;
  jobAttributes?: object;
}

export interface App {
  id: string;
  version: string;
}

/** The record of a system on a test host; nothing is sent. */
export function systemRecord({
  host,
  id,
  ...more
}: SystemGiven): Record<string, unknown> & { id: string } {
  const { port, user, publicKey, privateKey } = host.server;
  return {
    id: id ?? unique('host'),
    systemType: 'LINUX',
    host: host.server.host,
    port,
    effectiveUserId: user,
    defaultAuthnMethod: 'PKI_KEYS',
    authnCredential: { publicKey, privateKey },
    rootDir: host.rootDir,
    canExec: true,
    jobWorkingDir: '/scratch',
    jobRuntimes: [{ runtimeType: 'ZIP' }],
    ...more,
  };
}

/** The sentences of a whole-platform test, said by one user. */
export function flow(platform: PlatformProcess, user = 'testuser1', tenant = 'dev') {
  const me = (): Promise<Session> => platform.as(user, tenant);
  const given = {
    host: TestHost.start,

    /** A system on that host, registered with the right key unless told otherwise. Answers its id. */
    async system({ query = '', ...system }: SystemGiven & { query?: string }): Promise<string> {
      const record = systemRecord(system);
      await (await me()).ask('POST', `/v3/systems${query}`, record);
      return record.id;
    },

    /** A ZIP app whose program is a shell script; the image lies on the host. */
    async app({ host, system, script, id, app, jobAttributes }: AppGiven): Promise<App> {
      const name = id ?? unique('app');
      const archive = pack({ [`${platform.name}job_app.sh`]: `#!/bin/sh\n${script}\n` });
      const containerImage = host.put(`images/${name}.tar.gz`, archive);
      await (
        await me()
      ).ask('POST', '/v3/apps', {
        id: name,
        version: '1',
        runtime: 'ZIP',
        containerImage,
        jobType: 'FORK',
        ...app,
        jobAttributes: { execSystemId: system, ...jobAttributes },
      });
      return { id: name, version: '1' };
    },

    /** A file uploaded through the platform. */
    async file(system: string, path: string, content: string | Buffer): Promise<void> {
      const reply = await (await me()).upload(`/v3/files/ops/${system}/${path}`, content);
      if (reply.status !== 200)
        throw new Error(`upload of ${path}: ${reply.status} ${reply.message}`);
    },
  };
  const when = {
    async submit(app: App, request: object = {}): Promise<JobRecord> {
      const body = { name: unique('job'), appId: app.id, appVersion: app.version, ...request };
      return (await me()).ask('POST', '/v3/jobs/submit', body);
    },
    async cancel(uuid: string): Promise<void> {
      await (await me()).ask('POST', `/v3/jobs/${uuid}/cancel`);
    },
  };
  const then = {
    /** A job by its uuid, for what must become of it. */
    job: (uuid: string) => {
      const outcome = async () => new JobOutcome(await me(), uuid);
      return {
        reaches: async (...args: Parameters<JobOutcome['reaches']>) =>
          (await outcome()).reaches(...args),
        record: async () => (await outcome()).record(),
        history: async () => (await outcome()).history(),
        statuses: async () => (await outcome()).statuses(),
      };
    },
  };
  return { given, when, then, me };
}

export const unique = (prefix: string): string => `${prefix}-${randomBytes(4).toString('hex')}`;
