import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flow, PlatformProcess, TestHost } from '@libs/flows';
import { until } from '@libs/kit';
import { COUNTING, launches } from '../fixtures/counting-app';
import { end } from '../fixtures/end';

/** Policies of minutes pass in parts of a second. */
const SCALE = '0.01';

describe('a host that is away for a while', () => {
  let platform: PlatformProcess;
  let host: TestHost;
  let gate: string;
  const hosts: TestHost[] = [];

  beforeAll(async () => {
    gate = mkdtempSync(join(tmpdir(), 'gate-'));
    host = await TestHost.start({ config: [`ForceCommand ${doorkeeper(gate)}`] });
    hosts.push(host);
    platform = await PlatformProcess.start({ env: { RECOVERY_TIME_SCALE: SCALE } });
  });
  afterAll(async () => {
    rmSync(gate, { recursive: true, force: true });
    await end(platform, hosts);
  });

  it('during staging: the job is BLOCKED, then FINISHED', async () => {
    const { given, when, then } = flow(platform);
    const source = await heldFile('staged late\n');
    const system = await given.system({ host });
    const app = await given.app({ host, system, script: COUNTING });
    const sourceUrl = `http://127.0.0.1:${source.port}/input.txt`;
    const { uuid } = await when.submit(app, { fileInputs: [{ sourceUrl }] });
    await source.asked;
    await host.server.stop();
    source.release();
    await then.job(uuid).reaches('BLOCKED');
    await host.server.start();
    const job = await then.job(uuid).reaches('FINISHED');
    source.close();
    expect(launches(host, uuid)).toBe(1);
    expect(host.read(`${job.execSystemOutputDir}/result.txt`)).toBe('staged late\n');
    expect(await then.job(uuid).statuses()).toEqual(
      expect.arrayContaining(['STAGING_INPUTS', 'BLOCKED', 'FINISHED']),
    );
  });

  it.each(['before', 'after'] as const)(
    'during the launch, cut %s the command ran: launched once all the same',
    async (when_) => {
      const { given, when, then } = flow(platform);
      const system = await given.system({ host });
      const app = await given.app({ host, system, script: COUNTING });
      writeFileSync(join(gate, `hold-${when_}`), '');
      const { uuid } = await when.submit(app);
      await until(() => existsSync(join(gate, 'held')), 30_000);
      await host.server.stop();
      rmSync(join(gate, `hold-${when_}`));
      await then.job(uuid).reaches('BLOCKED');
      rmSync(join(gate, 'held'));
      await host.server.start();
      // the command of the first try, whose caller is gone, runs now
      writeFileSync(join(gate, 'go'), '');
      await then.job(uuid).reaches('FINISHED');
      await until(() => existsSync(join(gate, 'went')), 10_000);
      rmSync(join(gate, 'go'));
      rmSync(join(gate, 'went'));
      expect(launches(host, uuid)).toBe(1);
    },
  );

  it('while running: the job is BLOCKED, goes on, and FINISHES', async () => {
    const { given, when, then } = flow(platform);
    const system = await given.system({ host });
    const script = `while [ ! -e "$_svcExecSystemOutputDir/go" ]; do sleep 0.05; done\n${COUNTING}`;
    const app = await given.app({ host, system, script });
    const { uuid, execSystemOutputDir } = await when.submit(app);
    await then.job(uuid).reaches('RUNNING');
    await host.server.stop();
    await then.job(uuid).reaches('BLOCKED');
    host.put(`${execSystemOutputDir}/go`, '');
    await until(() => host.has(`${execSystemOutputDir}/result.txt`));
    await host.server.start();
    await then.job(uuid).reaches('FINISHED');
    expect(launches(host, uuid)).toBe(1);
  });

  it('a key that the host refuses: says so, BLOCKED, FAILED by policy', async () => {
    const { given, when, then } = flow(platform);
    const good = await TestHost.start();
    const other = await TestHost.start();
    hosts.push(good, other);
    const { publicKey, privateKey } = other.server;
    const system = await given.system({
      host: good,
      authnCredential: { publicKey, privateKey },
      query: '?skipCredentialCheck=true',
    });
    const app = await given.app({ host: good, system, script: COUNTING });
    const { uuid } = await when.submit(app);
    await then.job(uuid).reaches('BLOCKED');
    const job = await then.job(uuid).reaches('FAILED');
    expect(job.condition).toBe('JOB_RECOVERY_TIMEOUT');
    const told = JSON.stringify([job.lastMessage, ...(await then.job(uuid).history())]);
    expect(told).toContain(system);
    expect(told).toContain(good.server.user);
    expect(told).toMatch(/refused|authenticat/i);
    expect(launches(good, uuid)).toBe(0);
  });
});

/**
 * A program that sshd runs in place of every command, with a `setsid` of its own: that holds a launch while somebody
 * wants so, before or after it ran. Held launches go on although their connection is cut, as they may on a real host.
 */
function doorkeeper(gate: string): string {
  const sftp = execFileSync('sh', [
    '-c',
    'ls /usr/lib/openssh/sftp-server /usr/libexec/openssh/sftp-server /usr/lib/ssh/sftp-server 2>/dev/null | head -1',
  ])
    .toString()
    .trim();
  const setsid = execFileSync('sh', ['-c', 'command -v setsid']).toString().trim();
  const bin = join(gate, 'bin');
  mkdirSync(bin);
  const program = (path: string, text: string) => {
    writeFileSync(path, `#!/bin/sh\n${text}`, { mode: 0o755 });
    return path;
  };
  program(
    join(bin, 'setsid'),
    `hold() {
  trap '' HUP PIPE
  : > ${gate}/held
  while [ ! -e ${gate}/go ]; do sleep 0.02; done
}
if [ -e ${gate}/hold-before ]; then
  hold
  trap - HUP PIPE
  ${setsid} "$@" 3>/dev/null
  : > ${gate}/went
elif [ -e ${gate}/hold-after ]; then
  ${setsid} "$@" 3>/dev/null
  hold
  : > ${gate}/went
else
  exec ${setsid} "$@"
fi
`,
  );
  return program(
    join(gate, 'doorkeeper'),
    `case "$SSH_ORIGINAL_COMMAND" in
  internal-sftp|*sftp-server*) exec ${sftp} ;;
esac
PATH=${bin}:$PATH
export PATH
exec sh -c "$SSH_ORIGINAL_COMMAND"
`,
  );
}

/** A file behind HTTP that comes only when it is released. */
async function heldFile(content: string) {
  const waiting: ServerResponse[] = [];
  let released = false;
  const asked = Promise.withResolvers<void>();
  const server: Server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(content) });
    response.flushHeaders();
    if (released) response.end(content);
    else waiting.push(response);
    asked.resolve();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    asked: asked.promise,
    release() {
      released = true;
      for (const response of waiting) response.end(content);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
