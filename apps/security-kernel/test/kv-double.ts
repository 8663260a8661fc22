import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Version {
  data?: unknown;
  created_time: string;
  deletion_time: string;
  destroyed: boolean;
}

interface Key {
  versions: Map<number, Version>;
  current: number;
  created_time: string;
  updated_time: string;
}

interface Answer {
  status: number;
  body?: object;
}

const MAX_VERSIONS = 10;
const refuse = (status: number, ...errors: string[]): Answer => ({ status, body: { errors } });

/**
 * A key-value engine, version 2, with AppRole and token methods, as its public description says:
 * https://openbao.org/api-docs/secret/kv/kv-v2, https://openbao.org/api-docs/auth/approle and
 * https://openbao.org/api-docs/auth/token (the same pages describe Vault at developer.hashicorp.com/vault/api-docs).
 */
export class KvDouble {
  readonly roleId = randomUUID();
  readonly secretId = randomUUID();
  readonly rootToken = `s.${randomUUID()}`;
  /** Seconds a login lasts. */
  lease = 3600;
  sealed = false;
  logins = 0;
  renewals = 0;
  readonly namespaces = new Set<string | undefined>();
  private readonly tokens = new Map<string, number>();
  private readonly keys = new Map<string, Key>();
  private server?: Server;

  constructor(private readonly mount = 'secret') {}

  static async start(mount?: string): Promise<KvDouble> {
    const double = new KvDouble(mount);
    double.server = createServer((request, response) => {
      void double.handle(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(body && JSON.stringify(body));
      });
    });
    await new Promise<void>((done) => double.server!.listen(0, '127.0.0.1', done));
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server!.address() as AddressInfo).port}`;
  }

  /** Everything that lies in the engine, as text. */
  dump(): string {
    return JSON.stringify([...this.keys].map(([path, { versions }]) => [path, [...versions]]));
  }

  /** Every token but the root's is good no longer. */
  revokeAll(): void {
    this.tokens.clear();
  }

  close(): Promise<void> {
    return new Promise((done) => {
      this.server!.close(() => done());
      this.server!.closeAllConnections();
    });
  }

  private async handle(request: IncomingMessage): Promise<Answer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = (text ? JSON.parse(text) : {}) as Record<string, unknown>;
    const url = new URL(request.url!, this.url);
    if (this.sealed) return refuse(503, 'Vault is sealed');
    const path = url.pathname.replace(/^\/v1\//, '');
    if (path === 'auth/approle/login') return this.login(body);
    const token = request.headers['x-vault-token'] as string | undefined;
    const end = token === this.rootToken ? Infinity : (this.tokens.get(token ?? '') ?? 0);
    if (end <= Date.now()) return refuse(403, 'permission denied');
    this.namespaces.add(request.headers['x-vault-namespace'] as string | undefined);
    if (path === 'auth/token/lookup-self')
      return { status: 200, body: { data: { renewable: true } } };
    if (path === 'auth/token/renew-self') return this.renew(token!);
    const list = request.method === 'LIST' || url.searchParams.get('list') === 'true';
    const [, what, rest] = new RegExp(`^${this.mount}/(\\w+)/(.*)$`).exec(path) ?? [];
    if (!what) return refuse(404);
    const key = rest!.split('/').map(decodeURIComponent).join('/');
    return this.engine(request.method!, what, key, body, list, url.searchParams.get('version'));
  }

  private login({ role_id, secret_id }: Record<string, unknown>): Answer {
    if (role_id !== this.roleId || secret_id !== this.secretId)
      return refuse(400, 'invalid role or secret ID');
    this.logins++;
    const client_token = `s.${randomUUID()}`;
    this.tokens.set(client_token, Date.now() + this.lease * 1000);
    return {
      status: 200,
      body: { auth: { client_token, lease_duration: this.lease, renewable: true } },
    };
  }

  private renew(token: string): Answer {
    if (token === this.rootToken)
      return { status: 200, body: { auth: { lease_duration: 0, renewable: false } } };
    this.renewals++;
    this.tokens.set(token, Date.now() + this.lease * 1000);
    return {
      status: 200,
      body: { auth: { client_token: token, lease_duration: this.lease, renewable: true } },
    };
  }

  private engine(
    method: string,
    what: string,
    path: string,
    body: Record<string, unknown>,
    list: boolean,
    version: string | null,
  ): Answer {
    const key = this.keys.get(path);
    if (what === 'metadata' && list) return this.list(path);
    if (what === 'data' && method !== 'GET') return this.write(path, body['data']);
    if (!key) return method === 'DELETE' ? { status: 204 } : refuse(404);
    if (what === 'data') return readVersion(key, Number(version ?? 0));
    if (what === 'metadata' && method === 'DELETE') {
      this.keys.delete(path);
      return { status: 204 };
    }
    if (what === 'metadata') return { status: 200, body: { data: metadata(key) } };
    for (const number of body['versions'] as number[]) {
      const marked = key.versions.get(number);
      if (!marked || marked.destroyed) continue;
      if (what === 'delete') marked.deletion_time ||= new Date().toISOString();
      if (what === 'undelete') marked.deletion_time = '';
      if (what === 'destroy') {
        marked.destroyed = true;
        delete marked.data;
      }
    }
    return { status: 204 };
  }

  private list(folder: string): Answer {
    const found = [...this.keys.keys()]
      .filter((path) => path.startsWith(folder))
      .map((path) => /^[^/]*\/?/.exec(path.slice(folder.length))![0]);
    if (!found.length) return refuse(404);
    return { status: 200, body: { data: { keys: [...new Set(found)].sort() } } };
  }

  private write(path: string, data: unknown): Answer {
    if (typeof data !== 'object' || !data) return refuse(400, 'no data provided');
    const now = new Date().toISOString();
    const key = this.keys.get(path) ?? {
      versions: new Map<number, Version>(),
      current: 0,
      created_time: now,
      updated_time: now,
    };
    this.keys.set(path, key);
    const made = { created_time: now, deletion_time: '', destroyed: false };
    key.versions.set(++key.current, { ...made, data });
    key.updated_time = now;
    key.versions.delete(key.current - MAX_VERSIONS);
    const custom_metadata = null;
    return { status: 200, body: { data: { ...made, custom_metadata, version: key.current } } };
  }
}

function readVersion(key: Key, wanted: number): Answer {
  const number = wanted || key.current;
  const version = key.versions.get(number);
  if (!version) return refuse(404);
  const { data, ...times } = version;
  const metadata = { ...times, custom_metadata: null, version: number };
  if (times.destroyed || times.deletion_time)
    return { status: 404, body: { data: { data: null, metadata } } };
  return { status: 200, body: { data: { data, metadata } } };
}

function metadata(key: Key): object {
  const versions = Object.fromEntries(
    [...key.versions].map(([number, { data: _, ...times }]) => [String(number), times]),
  );
  return {
    cas_required: false,
    created_time: key.created_time,
    current_version: key.current,
    custom_metadata: null,
    delete_version_after: '0s',
    max_versions: 0,
    oldest_version: Math.min(...key.versions.keys()),
    updated_time: key.updated_time,
    versions,
  };
}
