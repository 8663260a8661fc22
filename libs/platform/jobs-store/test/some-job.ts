import type { JobDefinition } from '@libs/jobs-model';
import type { NewJob } from '../src';

const definition: JobDefinition = {
  fileInputs: [],
  parameterSet: {
    appArgs: [],
    containerArgs: [],
    schedulerOptions: [],
    envVariables: [],
    archiveFilter: { includes: [], excludes: [], includeLaunchFiles: true },
    logConfig: { stdoutFilename: 'out', stderrFilename: 'out' },
  },
  subscriptions: [],
  app: {
    runtime: 'ZIP',
    runtimeVersion: null,
    runtimeOptions: [],
    containerImage: '/image.zip',
    maxJobs: -1,
    maxJobsPerUser: -1,
  },
  queue: null,
  system: {
    rootDir: '/',
    host: 'localhost',
    effectiveUserId: 'someone',
    batchScheduler: null,
    batchSchedulerProfile: null,
    jobMaxJobs: -1,
    jobMaxJobsPerUser: -1,
  },
};

let count = 0;

/** A job as submission would store it, of its own owner unless told otherwise. */
export function someJob(given: Partial<NewJob> = {}): NewJob {
  const uuid = `job-${++count}-007`;
  return {
    uuid,
    tenant: 'dev',
    owner: `owner-of-${uuid}`,
    createdby: 'someone',
    createdbyTenant: 'dev',
    name: 'a job',
    description: '',
    created: new Date(),
    appId: 'app',
    appVersion: '1',
    jobType: 'FORK',
    archiveMode: 'ALWAYS',
    execSystemId: 'host',
    execSystemExecDir: `/${uuid}`,
    execSystemInputDir: `/${uuid}`,
    execSystemOutputDir: `/${uuid}/output`,
    execSystemLogicalQueue: null,
    archiveSystemId: 'host',
    archiveSystemDir: `/${uuid}/output`,
    dtnSystemId: null,
    dtnSystemInputDir: null,
    dtnSystemOutputDir: null,
    nodeCount: 1,
    coresPerNode: 1,
    memoryMB: 100,
    maxMinutes: 10,
    mpi: false,
    mpiCmd: null,
    cmdPrefix: null,
    tags: [],
    notes: {},
    sharedAppCtx: '',
    sharedAppCtxAttribs: [],
    trackingId: null,
    requestId: null,
    traceparent: null,
    remoteQueue: null,
    definition,
    request: '{"name": "a job"}',
    ...given,
  };
}
