import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { NotFound } from '@libs/envelope';
import { call, type CallAnswer, freshDatabase, PlatformDouble, type Sshd, sshd } from '@libs/kit';
import {
  createService,
  listen,
  type Listening,
  type RunningService,
  type ServiceDefinition,
} from '@libs/service-kit';
import { files } from '../src/service';

export interface TestSystem {
  id: string;
  owner: string;
  rootDir: string;
  /** Who may read the definition besides the owner. */
  readers?: string[];
  /** Default: the world's own. */
  host?: Sshd;
  more?: Record<string, unknown>;
}

/** The files service on a real database and a real SSH server; the services around it are doubles. */
export class World {
  readonly systems = new Map<string, TestSystem>();
  private constructor(
    readonly double: PlatformDouble,
    readonly server: Sshd,
    readonly service: RunningService,
    readonly web: Listening,
    readonly databaseUrl: string,
  ) {}

  static async start(): Promise<World> {
    const [double, server] = await Promise.all([PlatformDouble.start(), sshd()]);
    const databaseUrl = freshDatabase();
    const service = await createService(files, double.env({ DATABASE_URL: databaseUrl }));
    const web = await listen(service.handler, '127.0.0.1', 0);
    const world = new World(double, server, service, web, databaseUrl);
    double.serve('GET', '/v3/systems/:id', ({ params, headers, query }) => {
      const system = world.systems.get(params['id']!);
      const user = String(headers['x-svc-user']);
      const noAuth = query['resourceTenant'] !== undefined;
      const tenant = query['resourceTenant'] ?? headers['x-svc-tenant'];
      if (!system || tenant !== 'dev') throw new NotFound('SYSLIB_NOT_FOUND', 'no such system');
      const reads = noAuth || system.owner === user || system.readers?.includes(user);
      if (!reads) throw new NotFound('SYSLIB_UNAUTH', 'not for you');
      return world.record(system);
    });
    return world;
  }

  /** A system whose root is a fresh directory on the host. */
  system(id: string, owner = 'testuser1', more: Partial<TestSystem> = {}): TestSystem {
    const rootDir = mkdtempSync(join((more.host ?? this.server).root, `${id}-`));
    const system = { id, owner, rootDir, ...more };
    mkdirSync(system.rootDir, { recursive: true });
    this.systems.set(id, system);
    return system;
  }

  /** Another service on the same database, in the same surroundings. */
  alsoRun(
    definition: ServiceDefinition,
    more: Record<string, string> = {},
  ): Promise<RunningService> {
    return createService(definition, this.double.env({ DATABASE_URL: this.databaseUrl, ...more }));
  }

  get(path: string, user = 'testuser1', headers: Record<string, string> = {}): Promise<CallAnswer> {
    return this.ask('GET', path, user, undefined, headers);
  }

  ask(
    method: string,
    path: string,
    user = 'testuser1',
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<CallAnswer> {
    const all = { ...this.double.as(user), ...headers };
    return call(`${this.web.url}${path}`, { method, headers: all, body });
  }

  upload(path: string, data: string | Buffer, user = 'testuser1', name = 'name.bin') {
    const boundary = 'XxBOUNDARYxX';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
    const body = Buffer.concat([
      Buffer.from(head),
      Buffer.from(data),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    return this.ask('POST', path, user, body, {
      'content-type': `multipart/form-data; boundary=${boundary}`,
    });
  }

  async close(): Promise<void> {
    await this.web.close();
    await this.service.close();
    await this.double.close();
    await this.server.close();
  }

  private record(system: TestSystem): object {
    const host = system.host ?? this.server;
    return {
      id: system.id,
      systemType: 'LINUX',
      owner: system.owner,
      host: host.host,
      port: host.port,
      enabled: true,
      effectiveUserId: host.user,
      isDynamicEffectiveUser: false,
      rootDir: system.rootDir,
      hostKeys: [host.hostKey],
      authnCredential: { authnMethod: 'PKI_KEYS', privateKey: host.privateKey },
      ...system.more,
    };
  }
}
