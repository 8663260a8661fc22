import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { listen, proxyListener, siteDocs, type ServiceDefinition } from '@libs/service-kit';
import { endChild, endProcess, killChild } from './parts/running';
import { Problem } from './problem';
import { serviceEnvironment } from './service-environment';
import { elsewhere, type Site } from './start-services';

const START_DEADLINE_MS = 120_000;
const STOP_PATIENCE_MS = 10_000;
/** A service that ends again at once is not started faster than this. */
const RESTART_PAUSE_MS = 500;

interface Member {
  service: ServiceDefinition;
  child?: ChildProcess;
  /** Where it listens once it said so. */
  target?: string;
  ready: PromiseWithResolvers<void>;
}

/** Every service as a process of its own behind this process's listener; one that dies is started again. */
export class Fleet {
  private readonly members: Member[];
  private stopping = false;
  private closeListener?: () => Promise<void>;

  constructor(private readonly site: Site) {
    this.members = site.plan.services.map((service) => ({
      service,
      ready: Promise.withResolvers<void>(),
    }));
  }

  async start(): Promise<void> {
    await this.endLeftovers();
    const routes = this.members.flatMap((member) =>
      member.service.prefixes.map((prefix) => ({ prefix, target: () => member.target })),
    );
    const { settings, plan } = this.site;
    const { host, port } = settings;
    const all = [...routes, ...elsewhere(plan)];
    const listening = await listen(proxyListener(all, siteDocs([...plan.services])), host, port);
    this.closeListener = () => listening.close(1000);
    for (const member of this.members) void this.launchInTurn(member);
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Problem(this.late())), START_DEADLINE_MS).unref();
    });
    await Promise.race([Promise.all(this.members.map((member) => member.ready.promise)), late]);
  }

  /** Workers and whoever calls others end before those they call. */
  async stop(): Promise<void> {
    this.stopping = true;
    const closed = this.closeListener?.();
    const children = this.members.flatMap(({ child }) => child ?? []);
    await Promise.all(children.map((child) => endChild(child, STOP_PATIENCE_MS)));
    await closed;
    writeFileSync(this.file, '{}\n');
  }

  async kill(): Promise<void> {
    await Promise.all(this.members.map(({ child }) => child && killChild(child)));
  }

  private get file(): string {
    return this.site.data.at('services.json');
  }

  /** When those it needs are up: ten processes that all begin at once only wait for each other. */
  private async launchInTurn(member: Member): Promise<void> {
    const needed = this.members.filter(({ service }) =>
      member.service.needs.includes(service.name),
    );
    await Promise.all(needed.map(({ ready }) => ready.promise));
    if (!this.stopping) this.launch(member);
  }

  private launch(member: Member): void {
    const { service } = member;
    const { settings, plan, parts, data } = this.site;
    const logFile = data.at('log', `${service.name}.log`);
    const log = openSync(logFile, 'a');
    const child = spawn(process.execPath, [mainOf(service)], {
      stdio: ['ignore', log, log, 'ipc'],
      env: {
        ...serviceEnvironment(service, settings, plan, parts),
        // each gets a free port and tells it when it answers, and when it is ready
        HOST: '127.0.0.1',
        // this process
        TRUSTED_PROXIES: '1',
        PORT: '0',
        LOG_FILE: settings.logFile ?? logFile,
      },
    });
    member.child = child;
    child.on('message', ({ answers, ready }: { answers?: number; ready?: string }) => {
      if (answers) member.target = `http://127.0.0.1:${answers}`;
      if (ready) member.ready.resolve();
    });
    child.once('exit', () => {
      member.target = undefined;
      if (!this.stopping) setTimeout(() => this.stopping || this.launch(member), RESTART_PAUSE_MS);
    });
    this.remember();
  }

  /** Who runs where: for people, for tests that kill one, and for the next start. */
  private remember(): void {
    const pids = this.members.map(({ service, child }) => [service.name, child?.pid ?? 0]);
    writeFileSync(this.file, `${JSON.stringify(Object.fromEntries(pids), null, 2)}\n`);
  }

  private async endLeftovers(): Promise<void> {
    if (!existsSync(this.file)) return;
    const pids = JSON.parse(readFileSync(this.file, 'utf8')) as Record<string, number>;
    await Promise.all(
      this.members.map(({ service }) => endProcess(pids[service.name] ?? 0, mainOf(service))),
    );
  }

  private late(): string {
    const names = this.members.filter(({ target }) => !target).map(({ service }) => service.name);
    return `Not up after ${START_DEADLINE_MS / 1000} s: ${names.join(', ')}; logs are in ${this.site.data.at('log')}`;
  }
}

const mainOf = (service: ServiceDefinition): string =>
  resolve(__dirname, '../../..', 'apps', service.name, 'src', 'main.js');
