import { call, freshDatabase, PlatformDouble, sshd, type CallAnswer, type Sshd } from '@libs/kit';
import { createService, listen, type Listening, type RunningService } from '@libs/service-kit';
import { systems } from '../src/service';

/** The running service with a database of its own and a real host to log in to. */
export class SystemsService {
  private constructor(
    readonly double: PlatformDouble,
    readonly host: Sshd,
    readonly service: RunningService,
    private readonly at: Listening,
  ) {}

  static async start(more: Record<string, string> = {}): Promise<SystemsService> {
    const [double, host] = await Promise.all([PlatformDouble.start(), sshd()]);
    const env = double.env({ DATABASE_URL: freshDatabase(), CONNECT_SECONDS: '5', ...more });
    const service = await createService(systems, env);
    return new SystemsService(double, host, service, await listen(service.handler, '127.0.0.1', 0));
  }

  async stop(): Promise<void> {
    await this.at.close(100);
    await this.service.close();
    await Promise.all([this.double.close(), this.host.close()]);
  }

  /** A request as testuser1 of tenant `dev` unless headers say otherwise. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = this.as('testuser1'),
  ): Promise<CallAnswer> {
    return call(`${this.at.url}/v3/systems${path}`, { method, headers, body });
  }

  as(user: string, tenant = 'dev'): Record<string, string> {
    return this.double.as(user, tenant);
  }

  asService(name: string, user = 'testuser1'): Record<string, string> {
    return { ...this.double.asService(name, user), host: new URL(this.double.url).host };
  }

  /** The body of a system on the real host; its effective user is the one that may log in there. */
  onHost(id: string, more: object = {}) {
    const { host, port, user, root } = this.host;
    return linux(id, { host, port, effectiveUserId: user, rootDir: root, ...more });
  }

  get keys() {
    const { publicKey, privateKey } = this.host;
    return { publicKey, privateKey };
  }

  /** Creates it and fails the test unless that worked. */
  async made(body: object, user = 'testuser1'): Promise<void> {
    const answer = await this.send('POST', '', body, this.as(user));
    if (answer.status !== 201) throw new Error(answer.text);
  }

  async result(path: string, user = 'testuser1') {
    return (await this.send('GET', path, undefined, this.as(user))).body.result;
  }
}

export const linux = (id: string, more: object = {}) => ({
  id,
  systemType: 'LINUX',
  host: 'host.example.org',
  rootDir: '/data',
  defaultAuthnMethod: 'PKI_KEYS',
  canExec: false,
  ...more,
});

export const executing = {
  canExec: true,
  jobWorkingDir: '/work',
  jobRuntimes: [{ runtimeType: 'ZIP' }],
};
