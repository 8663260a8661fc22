import { ServiceSettings, Setting } from '@libs/config';

export class JobsWorkerSettings extends ServiceSettings {
  @Setting({ env: 'JOBS_AT_ONCE', kind: 'int', default: 16, doc: 'Jobs in a step at once' })
  jobsAtOnce!: number;

  @Setting({
    env: 'SSH_CONNECTIONS_PER_HOST',
    kind: 'int',
    default: 2,
    doc: 'SSH connections to one host with one login',
  })
  connectionsPerHost!: number;

  @Setting({
    env: 'LEASE_SECONDS',
    kind: 'int',
    default: 30,
    doc: 'A worker that is silent for so long loses its jobs to others',
  })
  leaseSeconds!: number;

  @Setting({
    env: 'SWEEP_SECONDS',
    kind: 'int',
    default: 5,
    doc: 'How often jobs are looked for whose message was lost',
  })
  sweepSeconds!: number;

  @Setting({
    env: 'TRANSFER_POLL_SECONDS',
    kind: 'int',
    default: 5,
    doc: 'How soon a transfer is asked about whose end was not told; later ever less often',
  })
  transferPollSeconds!: number;

  @Setting({
    env: 'COMMAND_SECONDS',
    kind: 'int',
    default: 600,
    doc: 'The longest a command on a host may take, such as unpacking an app',
  })
  commandSeconds!: number;

  @Setting({
    env: 'RECOVERY_TIME_SCALE',
    kind: 'json',
    default: 1,
    doc: 'Scales the waits of blocked jobs; less than 1 for the impatient',
  })
  recoveryTimeScale!: number;

  @Setting({
    env: 'UNSEEN_MINUTES',
    kind: 'int',
    default: 60,
    doc: 'A running job that its host says nothing about for so long fails',
  })
  unseenMinutes!: number;

  @Setting({
    env: 'CRASH_AT',
    kind: 'text',
    doc: 'Tests only, refused in production: the process kills itself when a job is in this status; with ":before-save" after its work was done and before that is saved; "@" and a path: what the file there says',
  })
  crashAt?: string;

  @Setting({
    env: 'CRASH_MARK',
    kind: 'text',
    doc: 'Tests only: a file that is made by the crash and prevents a second one',
  })
  crashMark?: string;
}
