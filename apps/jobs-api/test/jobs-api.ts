import { Readable } from 'node:stream';
import { NotFound, RangeNotSatisfiable, Upstream } from '@libs/envelope';
import { JobsStore } from '@libs/jobs-store';
import { call, type CallAnswer, type CallOptions, freshDatabase, PlatformDouble } from '@libs/kit';
import { createService, listen, type Listening, type RunningService } from '@libs/service-kit';
import { jobsApi } from '../src/service';

type Record_ = Record<string, unknown>;

/** The service under test, on a real database, with small doubles of apps, systems and files around it. */
export class JobsApi {
  readonly apps: Record<string, Record_> = { app: { ...APP } };
  readonly systems: Record<string, Record_> = {
    host: { ...HOST },
    store: { ...HOST, id: 'store', canExec: false },
  };
  /** Directories that were asked for, as `system:path`. */
  readonly made: string[] = [];
  /** Files by `system:path`; a path that ends in a slash is an empty directory. */
  readonly files: Record<string, Buffer> = {};
  hostAway = false;

  private constructor(
    readonly double: PlatformDouble,
    readonly service: RunningService,
    private readonly listening: Listening,
    readonly database: string,
  ) {}

  static async start(more: Record<string, string> = {}): Promise<JobsApi> {
    const double = await PlatformDouble.start();
    const database = freshDatabase();
    const service = await createService(jobsApi, double.env({ DATABASE_URL: database, ...more }));
    const api = new JobsApi(
      double,
      service,
      await listen(service.handler, '127.0.0.1', 0),
      database,
    );
    api.serve();
    return api;
  }

  get store(): JobsStore {
    return this.service.get(JobsStore);
  }

  get url(): string {
    return this.listening.url;
  }

  as(user = 'testuser1', tenant = 'dev', options: CallOptions = {}) {
    const headers = { ...this.double.as(user, tenant), ...options.headers };
    const ask = (
      method: string,
      path: string,
      body?: unknown,
      more: Record<string, string> = {},
    ): Promise<CallAnswer> =>
      call(`${this.url}/v3/jobs${path}`, { method, body, headers: { ...headers, ...more } });
    return {
      headers,
      get: (path: string, more?: Record<string, string>) => ask('GET', path, undefined, more),
      post: (path: string, body?: unknown, more?: Record<string, string>) =>
        ask('POST', path, body, more),
      put: (path: string, body: unknown) => ask('PUT', path, body),
      patch: (path: string, body: unknown, more?: Record<string, string>) =>
        ask('PATCH', path, body, more),
      /** Submits and answers the job's uuid. */
      submit: async (request: object = {}): Promise<string> => {
        const answer = await ask('POST', '/submit', { ...REQUEST, ...request });
        if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
        return answer.body.result.uuid as string;
      },
    };
  }

  async close(): Promise<void> {
    await this.listening.close();
    await this.service.close();
    await this.double.close();
  }

  private serve(): void {
    const { double } = this;
    const known = (list: Record<string, Record_>, id: string) => {
      if (!list[id]) throw new NotFound('DOUBLE_NOT_FOUND', `${id} is unknown`, id);
      return list[id];
    };
    double.serve('GET', '/v3/apps/:id/:version', ({ params }) => known(this.apps, params['id']!));
    double.serve('GET', '/v3/systems/:id', ({ params }) => known(this.systems, params['id']!));
    double.serve('GET', '/v3/systems/schedulerProfile/:name', ({ params }) =>
      known({}, params['name']!),
    );
    double.serve('GET', '/v3/systems/:id/hostEval/:name', ({ params }) => ({
      name: params['name'] === 'WORK' ? '/from-host' : '',
    }));
    double.serve('POST', '/v3/files/ops/:system', ({ params, body }) => {
      if (this.hostAway) throw new Upstream('DOUBLE_AWAY', 'the host is away', { timedOut: true });
      this.made.push(`${params['system']}:${(body as { path: string }).path}`);
      return null;
    });
    double.serve('GET', '/v3/files/ops/:system/*path', ({ params, query }) =>
      this.listing(params['system']!, params['path']!, query),
    );
    double.serve('GET', '/v3/files/content/:system/*path', ({ params, query, headers }) => {
      if (query['zip']) return Readable.from([`PK zip of ${params['path']}`]);
      const file = this.files[`${params['system']}:/${params['path']}`]!;
      const [, start] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
      if (start === undefined) return Readable.from([file]);
      if (Number(start) >= file.length) throw new RangeNotSatisfiable('FILES_RANGE', 'beyond');
      const range = `bytes ${start}-${file.length - 1}/${file.length}`;
      const sent = { 'Content-Range': range, ETag: headers['if-range'] ?? '"tag"' };
      return Object.assign(Readable.from([file.subarray(Number(start))]), {
        answers: { status: 206, headers: sent },
      });
    });
  }

  private listing(
    system: string,
    path: string,
    { limit, offset, recurse }: Record<string, string>,
  ): unknown {
    const at = `${system}:/${path}`;
    const item = (key: string) => ({
      name: key.split('/').at(-1),
      path: key.slice(system.length + 2),
      type: 'file',
      size: this.files[key]!.length,
    });
    if (this.files[at]) return [item(at)];
    const below = Object.keys(this.files)
      .filter((key) => key.startsWith(`${at}/`))
      .sort();
    if (!below.length) throw new NotFound('FILES_NOT_FOUND', `${path} is not there`);
    const rest = (key: string) => key.slice(at.length + 1);
    const files = below
      .filter((key) => !key.endsWith('/'))
      .filter((key) => recurse === 'true' || !rest(key).includes('/'));
    const dirs = new Set(
      below
        .map(rest)
        .filter((r) => r.includes('/'))
        .map((r) => r.split('/')[0]!),
    );
    const entry = (name: string) => ({ name, path: `${path}/${name}`, type: 'dir', size: 0 });
    const items = [
      ...files.map(item),
      ...(recurse === 'true' ? [] : [...dirs].filter((d) => d).map(entry)),
    ];
    return items.slice(Number(offset ?? 0), Number(offset ?? 0) + Number(limit ?? 1000));
  }
}

export const REQUEST = { name: 'a job', appId: 'app', appVersion: '1.0' };
const APP = {
  id: 'app',
  version: '1.0',
  enabled: true,
  versionEnabled: true,
  runtime: 'ZIP',
  containerImage: '/image.zip',
  jobType: 'FORK',
  jobAttributes: { execSystemId: 'host', tags: ['of-app'] },
};
const HOST = {
  id: 'host',
  systemType: 'LINUX',
  enabled: true,
  host: 'h',
  rootDir: '/',
  effectiveUserId: 'u',
  canExec: true,
  jobWorkingDir: '/work',
  jobRuntimes: [{ runtimeType: 'ZIP' }],
};
