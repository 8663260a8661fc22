import { Database } from '@libs/database';
import { JOBS_DATABASE, type Job, JobsStore, type NewJob } from '@libs/jobs-store';
import {
  type DoubleRequest,
  freshDatabase,
  PlatformDouble,
  type Sshd,
  sshd,
  until,
} from '@libs/kit';
import { transfersEnded } from '@libs/messages';
import { MessageBus } from '@libs/messaging';
import { createService, type RunningService } from '@libs/service-kit';
import { NotFound } from '@libs/envelope';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jobsWorker } from '../src/service';

type Env = Record<string, string | undefined>;
export interface FakeTransfer {
  uuid: string;
  tag: string;
  status: string;
  errorMessage: string | null;
  elements: {
    sourceURI: string;
    destinationURI: string;
    optional?: boolean;
    transferType?: string;
  }[];
}

/** A host, a database, the other services as doubles; and a worker, or none, or two. */
export class World {
  host!: Sshd;
  double!: PlatformDouble;
  database!: Database;
  store!: JobsStore;
  databaseUrl = freshDatabase();
  workers: RunningService[] = [];
  /** What the systems service says of every system. */
  system: Record<string, unknown> = {};
  app: Record<string, unknown> = { enabled: true, versionEnabled: true };
  readonly transfers = new Map<string, FakeTransfer>();
  /** Set to keep transfers from ending. */
  holdTransfers = false;
  failTransfers?: string;
  private isAway = false;
  private home = '';
  readonly made: string[] = [];
  /** What was done to files through the files service. */
  readonly changed: string[] = [];
  private readonly image = new Map<string, string>();

  /** `environment` is what a login on the host finds set. */
  static async start(
    environment: Record<string, string> = {},
    config: string[] = [],
  ): Promise<World> {
    const world = new World();
    world.home = mkdtempSync(join(tmpdir(), 'home-'));
    const set = Object.entries({ HOME: world.home, SHLVL: '2', ...environment });
    world.host = await sshd({
      config: [...config, `SetEnv ${set.map((pair) => pair.join('=')).join(' ')}`],
    });
    world.double = await PlatformDouble.start();
    world.database = await Database.open(world.databaseUrl, JOBS_DATABASE);
    world.store = new JobsStore(world.database);
    world.resetSystem();
    world.serve();
    return world;
  }

  /** Folder on the host, relative to the system's rootDir. */
  dir(...parts: string[]): string {
    const path = join(this.host.root, ...parts);
    mkdirSync(path, { recursive: true });
    return path;
  }

  resetSystem(): void {
    const { port, user, privateKey } = this.host;
    this.system = {
      enabled: true,
      host: '127.0.0.1',
      port,
      rootDir: this.host.root,
      effectiveUserId: user,
      jobMaxJobs: 2147483647,
      jobMaxJobsPerUser: 2147483647,
      hostKeys: [this.host.hostKey],
      authnCredential: { authnMethod: 'PKI_KEYS', privateKey },
    };
  }

  env(more: Env = {}): Env {
    return this.double.env({
      DATABASE_URL: this.databaseUrl,
      RECOVERY_TIME_SCALE: '0.002',
      LEASE_SECONDS: '3',
      SWEEP_SECONDS: '1',
      TRANSFER_POLL_SECONDS: '1',
      ...more,
    });
  }

  async work(more: Env = {}): Promise<RunningService> {
    const worker = await createService(jobsWorker, this.env(more));
    this.workers.push(worker);
    return worker;
  }

  /** The host is away, until `back`. */
  async away(): Promise<void> {
    this.isAway = true;
    await this.host.stop();
  }

  async back(): Promise<void> {
    if (this.isAway) await this.host.start();
    this.isAway = false;
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.close()));
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.database?.close();
    await this.double?.close();
    await this.host?.close();
    this.remove(this.home);
  }

  /** An archive whose program is this shell text; each text is packed once. */
  zip(program: string): string {
    let image = this.image.get(program);
    if (image) return image;
    const dir = mkdtempSync(join(this.dir('images'), 'app-'));
    writeFileSync(join(dir, 'svcjob_app.sh'), `#!/bin/sh\n${program}\n`);
    image = join(dir, 'app.tgz');
    execFileSync('tar', ['-C', dir, '-czf', image, 'svcjob_app.sh']);
    this.image.set(program, image);
    return image;
  }

  async submit(program: string, given: DeepPartial<NewJob> = {}): Promise<Job> {
    const job = newJob(given);
    job.definition.app.containerImage ||= this.zip(program);
    const stored = await this.database.transaction((tx) => this.store.insert(tx, job));
    // The relay of a worker sees it by its sweep; a submission would nudge it.
    for (const worker of this.workers) await nudge(worker, stored.uuid);
    return stored;
  }

  async job(uuid: string): Promise<Job> {
    return (await this.store.findMany([uuid]))[0]!;
  }

  /** Waits until the job is in this status; one that ends otherwise is an error that says why. */
  reaches(job: { uuid: string }, status: string, deadlineMs = 60_000): Promise<Job> {
    return until(async () => {
      const now = await this.job(job.uuid);
      const over = ['FINISHED', 'FAILED', 'CANCELLED'].includes(now.status);
      if (over && now.status !== status) return { wrong: `${now.status}: ${now.lastMessage}` };
      return now.status === status ? now : undefined;
    }, deadlineMs).then((found) => {
      if ('wrong' in found) throw new Error(`expected ${status}, got ${found.wrong}`);
      return found;
    });
  }

  async history(job: Job): Promise<string[]> {
    const events = await this.store.history(job.tenant, job.uuid);
    return events.filter((e) => e.event === 'JOB_NEW_STATUS').map((e) => e.eventDetail);
  }

  path(job: Job, ...parts: string[]): string {
    return join(this.host.root, job.execSystemExecDir, ...parts);
  }
  output(job: Job, name = 'svcjob.out'): string {
    return readFileSync(join(this.host.root, job.execSystemOutputDir, name), 'utf8');
  }
  exists(job: Job, ...parts: string[]): boolean {
    return existsSync(this.path(job, ...parts));
  }
  /** Times the program says it has run. */
  launches(job: Job): number {
    const file = this.path(job, 'counter');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
  }

  private serve(): void {
    const { double } = this;
    double.serve('GET', '/v3/systems/:id', ({ params }) => ({ id: params.id, ...this.system }));
    double.serve('POST', '/v3/systems/:id/hostKey', ({ body }) => {
      this.system.hostKeys = [(body as { fingerprint: string }).fingerprint];
      return null;
    });
    double.serve('GET', '/v3/apps/:id/:version', () => this.app);
    double.serve('POST', '/v3/files/ops/:system', ({ params, body }) => {
      this.made.push(`${params.system}:${(body as { path: string }).path}`);
      return null;
    });
    double.serve('POST', '/v3/files/utils/linux/:system/*path', ({ params, body }) => {
      const { operation, argument } = body as { operation: string; argument: string };
      this.changed.push(`${operation} ${argument} ${params.system}:/${params.path}`);
      return null;
    });
    double.serve('POST', '/v3/files/transfers', (request) => this.transfer(request));
    double.serve('GET', '/v3/files/transfers/:uuid', ({ params }) => this.found(params.uuid));
    double.serve('DELETE', '/v3/files/transfers/:uuid', ({ params }) => {
      this.found(params.uuid).status = 'CANCELLED';
      return null;
    });
  }

  private found(uuid = ''): FakeTransfer {
    const transfer = [...this.transfers.values()].find((t) => t.uuid === uuid);
    if (!transfer) throw new NotFound('FILES_NO_TRANSFER', uuid);
    return transfer;
  }

  /** Copies on the local disk, as soon as it may; tells the workers. */
  private transfer({ body, headers }: DoubleRequest): FakeTransfer {
    const key = String(headers['idempotency-key']);
    const known = this.transfers.get(key);
    if (known) return known;
    const { tag, elements } = body as Pick<FakeTransfer, 'tag' | 'elements'>;
    const uuid = randomUUID();
    const made = { uuid, tag, elements, status: 'ACCEPTED', errorMessage: null };
    this.transfers.set(key, made);
    setTimeout(() => void this.carryOut(made), 20);
    return { ...made };
  }

  async carryOut(transfer: FakeTransfer): Promise<void> {
    if (this.holdTransfers || transfer.status !== 'ACCEPTED') return;
    try {
      if (this.failTransfers) throw new Error(this.failTransfers);
      for (const { sourceURI, destinationURI, transferType } of transfer.elements) {
        const [from, to] = [this.local(sourceURI), this.local(destinationURI)];
        mkdirSync(dirname(to), { recursive: true });
        cpSync(from, to, { recursive: true });
        if (transferType) rmSync(from, { recursive: true });
      }
      transfer.status = 'COMPLETED';
    } catch (error) {
      transfer.status = 'FAILED';
      transfer.errorMessage = (error as Error).message;
    }
    const { uuid, tag, status } = transfer;
    for (const worker of this.workers)
      await worker.get(MessageBus).publish(transfersEnded, { uuid, tenant: 'dev', tag, status });
  }

  /** Every system of the double is a folder: the execution system its rootDir, others beside it. */
  local(uri: string): string {
    const [, system, path] = /^svc:\/\/([^/]+)(\/.*)$/.exec(uri)!;
    const root = system === 'host' ? this.host.root : join(this.host.root, 'systems', system!);
    return join(root, decodeURIComponent(path!));
  }

  remove(path: string): void {
    rmSync(path, { recursive: true, force: true });
  }
}

export type DeepPartial<T> = { [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };

async function nudge(worker: RunningService, uuid: string): Promise<void> {
  const { jobsWork } = await import('@libs/messages');
  await worker.get(MessageBus).publish(jobsWork, { uuid });
}

/** A job as submission would store it: ZIP under FORK on system `host`, archived where it is. */
export function newJob({ definition, ...given }: DeepPartial<NewJob> = {}): NewJob {
  const uuid = given.uuid ?? `${randomUUID()}-007`;
  const dir = `/jobs/${uuid}`;
  const { parameterSet, app, ...rest } = definition ?? {};
  return {
    uuid,
    tenant: 'dev',
    owner: 'testuser1',
    createdby: 'testuser1',
    createdbyTenant: 'dev',
    name: 'a job',
    description: '',
    created: new Date(),
    appId: 'app',
    appVersion: '1',
    jobType: 'FORK',
    archiveMode: 'ALWAYS',
    execSystemId: 'host',
    execSystemExecDir: dir,
    execSystemInputDir: dir,
    execSystemOutputDir: `${dir}/output`,
    execSystemLogicalQueue: null,
    archiveSystemId: 'host',
    archiveSystemDir: `${dir}/output`,
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
    request: '{}',
    ...given,
    definition: {
      fileInputs: [],
      subscriptions: [],
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
      ...rest,
      parameterSet: {
        appArgs: [],
        containerArgs: [],
        schedulerOptions: [],
        logConfig: { stdoutFilename: 'svcjob.out', stderrFilename: 'svcjob.out' },
        envVariables: [{ key: '_svcJobUUID', value: uuid, description: null, notes: null }],
        ...parameterSet,
        archiveFilter: {
          includes: [],
          excludes: [],
          includeLaunchFiles: true,
          ...parameterSet?.archiveFilter,
        },
      },
      app: {
        runtime: 'ZIP',
        runtimeVersion: null,
        runtimeOptions: [],
        containerImage: '',
        maxJobs: -1,
        maxJobsPerUser: -1,
        ...app,
      },
    },
  } as NewJob;
}
