import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until';

const APPLETS = 'sh cat echo env id sleep ls mkdir printf date sed grep true false test touch';

/** A Docker engine of the test's own, without network, with one small image. Needs root. */
export class DockerEngine {
  readonly image = 'tiny:1';
  private readonly folder = mkdtempSync(join(tmpdir(), 'docker-'));
  private child?: ChildProcess;

  /** Value of DOCKER_HOST for whoever is to use it. */
  get address(): string {
    return `unix://${join(this.folder, 'engine.sock')}`;
  }

  /** Runs a docker command and answers what it prints. */
  docker(...args: string[]): string {
    const env = { ...process.env, DOCKER_HOST: this.address };
    return execFileSync('docker', args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      .toString()
      .trim();
  }

  async start(): Promise<void> {
    const own = (name: string) => join(this.folder, name);
    const options = { bridge: 'none', iptables: 'false', ip6tables: 'false', host: this.address };
    const folders = { 'data-root': own('data'), 'exec-root': own('exec'), pidfile: own('pid') };
    const args = Object.entries({ ...options, ...folders }).map(([k, v]) => `--${k}=${v}`);
    // Where containers can't be kept alive without the engine, a restart of it ends them.
    this.child = spawn('dockerd', [...args, '--live-restore'], { stdio: 'ignore' });
    await until(() => this.docker('version') !== '', 30_000, 100);
  }

  /** The engine is away; its containers live on. */
  async stop(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child || child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  async close(): Promise<void> {
    if (this.child) {
      const all = this.docker('ps', '-aq').split('\n').filter(Boolean);
      if (all.length) this.docker('rm', '-f', ...all);
    }
    await this.stop();
    // The engine leaves its own bind mounts behind.
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '')
      .filter((at) => at.startsWith(`${this.folder}/`));
    for (const at of mounted.reverse()) execFileSync('umount', ['-l', at]);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Makes the image from the machine's own static busybox: nothing is fetched. */
  makeImage(): void {
    const root = join(this.folder, 'image');
    mkdirSync(join(root, 'bin'), { recursive: true });
    mkdirSync(join(root, 'tmp'));
    copyFileSync(busyboxPath()!, join(root, 'bin', 'busybox'));
    for (const name of APPLETS.split(' ')) symlinkSync('busybox', join(root, 'bin', name));
    const tar = join(this.folder, 'image.tar');
    execFileSync('tar', ['-C', root, '-cf', tar, '.']);
    this.docker('import', '--change', 'ENV PATH=/bin', tar, this.image);
  }
}

const busyboxPath = () => ['/bin/busybox', '/usr/bin/busybox'].find((path) => existsSync(path));

/** Why no engine can be started here, or undefined when one can. */
export function dockerMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can start a Docker engine';
  if (!['/usr/bin/dockerd', '/usr/sbin/dockerd', '/usr/local/bin/dockerd'].some(existsSync))
    return 'dockerd is not installed (package docker.io)';
  return busyboxPath() ? undefined : 'busybox is not installed (package busybox-static)';
}

/** An engine that runs, with its image. */
export async function docker(): Promise<DockerEngine> {
  const engine = new DockerEngine();
  await engine.start();
  engine.makeImage();
  return engine;
}
