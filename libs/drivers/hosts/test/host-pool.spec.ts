import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sshd, type Sshd, until } from '@libs/kit';
import { Server } from 'ssh2';
import { type HostError, HostPool, isHostError, quote } from '../src';

const collect = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
};

/** Only root can check passwords with the real server; elsewhere this stands in for it. */
async function passwordServer() {
  const hostKeys = [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey];
  const keys = hostKeys.map((k) => k.export({ type: 'pkcs1', format: 'pem' }));
  const server = new Server({ hostKeys: keys }, (client) => {
    client.on('authentication', (c) =>
      c.method === 'password' && c.password === 'right' ? c.accept() : c.reject(['password']),
    );
    client.on('session', (accept) =>
      accept().on('exec', (run) => {
        const channel = run();
        channel.write('me\n');
        channel.exit(0);
        channel.end();
      }),
    );
  });
  server.unref();
  await new Promise<void>((r) => server.listen(0, '127.0.0.1', r));
  const { port } = server.address() as { port: number };
  return { host: '127.0.0.1', port, user: 'me', auth: { password: 'right' } };
}

describe('a real OpenSSH server', () => {
  let server: Sshd;
  let pool: HostPool;
  beforeAll(async () => {
    server = await sshd({ passwordAccount: process.getuid?.() === 0 });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    pool = new HostPool({ connectTimeoutMs: 5_000 });
  });
  afterEach(() => pool.close());
  const refusal = (work: Promise<unknown>): Promise<HostError> =>
    work.then(
      () => {
        throw new Error('expected a refusal');
      },
      (e) => e,
    );

  it('runs a command and tells code, output and errors', async () => {
    const host = pool.host(server.login());
    expect(await host.exec('cat; echo bad >&2; exit 3', { input: 'hello' })).toEqual({
      code: 3,
      signal: null,
      stdout: 'hello',
      stderr: 'bad\n',
    });
    const failed = await refusal(host.exec('echo why >&2; exit 4', { check: true }));
    expect(failed).toMatchObject({ kind: 'command-failed', code: 4 });
    expect(failed.message).toContain('why');
  });

  it('quotes any word', async () => {
    const words = [
      'plain',
      '',
      ' ',
      "it's",
      '$(id)',
      '`id`',
      '-n',
      'a\nb',
      '"',
      '\\',
      '*',
      '~',
      'ü',
      "''",
      'a=b',
      '!x',
      ';',
      '&',
      '|',
      '<',
      '#',
    ];
    const { stdout } = await pool
      .host(server.login())
      .exec(`for w in ${quote(...words)}; do printf '[%s]\\0' "$w"; done`);
    expect(stdout.split('\0').slice(0, -1)).toEqual(words.map((w) => `[${w}]`));
    expect(() => quote('a\0b')).toThrow(TypeError);
  });

  it('serves many callers over few connections', async () => {
    const before = server.connections();
    const host = pool.host(server.login());
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, i) => host.exec(`echo ${i}`).then((r) => r.stdout.trim())),
    );
    expect(results).toEqual(Array.from({ length: 200 }, (_, i) => String(i)));
    expect(server.connections() - before).toBeLessThanOrEqual(4);
    expect(pool.stats()).toMatchObject({ busy: 0, queued: 0 });
  });

  it('waits when the server refuses more sessions', async () => {
    const strict = await sshd({ config: ['MaxSessions 2'] });
    try {
      const host = pool.host(strict.login());
      const work = Array.from({ length: 30 }, (_, i) =>
        i % 3 ? host.exec('sleep 0.02; echo ok') : host.sftp((s) => s.realpath('.')),
      );
      await Promise.all(work);
      expect(strict.connections()).toBeLessThanOrEqual(4);
    } finally {
      await strict.close();
    }
  });

  it('keeps within the time and the output allowed', async () => {
    const host = pool.host(server.login());
    expect(await refusal(host.exec('sleep 30', { timeoutMs: 200 }))).toMatchObject({
      kind: 'timeout',
    });
    const loud = await refusal(host.exec('while :; do echo yes; done', { maxOutput: 10_000 }));
    expect(loud.kind).toBe('command-failed');
    expect((await host.exec('echo still')).stdout).toBe('still\n');
    // The server gives the session of a killed command back when it likes.
    await until(() => pool.stats().busy === 0, 10_000);
  });

  it('tells the key of an unpinned host and refuses another key than the pinned', async () => {
    const seen: string[] = [];
    await pool.host({ ...server.login(), onHostKey: (f) => void seen.push(f) }).exec('true');
    expect(seen).toEqual([server.hostKey]);
    await pool.host(server.login(true)).exec('true');
    const wrong = await refusal(
      pool.host({ ...server.login(), hostKeys: ['SHA256:other'] }).exec('true'),
    );
    expect(wrong).toMatchObject({ kind: 'host-key-changed', shown: server.hostKey });
    expect(wrong.message).toContain('SHA256:other');
    await pool.host(server.login(true)).exec('true');
  });

  it('says when the login is refused', async () => {
    const stranger = await sshd();
    try {
      const login = { ...server.login(), auth: { privateKey: stranger.privateKey } };
      expect((await refusal(pool.host(login).exec('true'))).kind).toBe('login-refused');
      const broken = { ...server.login(), auth: { privateKey: 'no key' } };
      const error = await refusal(pool.host(broken).exec('true'));
      expect(error.kind).toBe('login-refused');
      expect(error.message).not.toContain('no key');
    } finally {
      await stranger.close();
    }
  });

  it('logs in by password', async () => {
    const login = server.account
      ? { host: server.host, port: server.port, user: server.account.user, auth: server.account }
      : await passwordServer();
    expect((await pool.host(login).exec('id -un')).stdout.trim()).toBe(login.user);
    const wrong = { ...login, auth: { password: 'wrong' } };
    expect((await refusal(pool.host(wrong).exec('true'))).kind).toBe('login-refused');
  });

  it('survives the host going away and coming back', async () => {
    const host = pool.host(server.login());
    const running = refusal(host.exec('sleep 30'));
    await host.exec('true');
    await server.stop();
    expect((await running).kind).toBe('unreachable');
    expect((await refusal(host.exec('true'))).kind).toBe('unreachable');
    await server.start();
    expect((await host.exec('echo back')).stdout).toBe('back\n');
    server.cut();
    await refusal(host.exec('sleep 30')).catch(() => undefined);
    expect((await host.exec('echo again')).stdout).toBe('again\n');
  });

  it('closes idle connections', async () => {
    const brief = new HostPool({ idleMs: 100 });
    await brief.host(server.login()).exec('true');
    expect(brief.stats().connections).toBe(1);
    await until(() => brief.stats().connections === 0);
    expect(brief.stats()).toMatchObject({ connections: 0, opened: 1 });
  });

  it('reads and writes files of every size through SFTP', async () => {
    const host = pool.host(server.login());
    for (const size of [0, 1, 4096, 255 * 1024, 255 * 1024 + 1, 9_000_001]) {
      const data = randomBytes(size);
      const path = join(server.root, `f${size}`);
      await host.sftp(async (sftp) => {
        await pipeline(
          [data.subarray(0, 10), data.subarray(10)],
          sftp.writer(path, { mode: 0o600 }),
        );
        expect(readFileSync(path).equals(data)).toBe(true);
        const back = await collect(sftp.reader(path));
        expect(back.equals(data)).toBe(true);
        const part = await collect(sftp.reader(path, { start: 3, end: 300_000 }));
        expect(part.equals(data.subarray(3, 300_000))).toBe(true);
      });
    }
    await expect(host.sftp((s) => collect(s.reader('/none/such')))).rejects.toMatchObject({
      kind: 'sftp',
      reason: 'missing',
    });
    await host.writeFile(join(server.root, 'small'), 'text', 0o640);
    expect((await host.readFile(join(server.root, 'small'))).toString()).toBe('text');
    await expect(host.readFile(join(server.root, 'f9000001'))).rejects.toThrow(/larger than/);
  });

  it('streams a command', async () => {
    const host = pool.host(server.login());
    const command = await host.stream('tr a-z A-Z');
    command.stdin.end('quiet');
    expect((await collect(command.stdout)).toString()).toBe('QUIET');
    expect(await command.done).toMatchObject({ code: 0 });
    const endless = await host.stream('yes');
    endless.kill();
    await endless.done.catch((e) => expect(isHostError(e)).toBe(true));
    expect(pool.stats().busy).toBe(0);
  });

  it.each(['a pipeline', 'an iteration'])(
    'gives back the session of %s that broke',
    async (way) => {
      const host = pool.host(server.login());
      const endless = await host.stream('yes');
      const broken =
        way === 'a pipeline'
          ? pipeline(
              endless.stdout,
              new Writable({ write: (_chunk, _encoding, done) => done(new Error('full')) }),
            )
          : (async () => {
              for await (const chunk of endless.stdout)
                throw new Error(`full after ${chunk.length}`);
            })();
      await expect(broken).rejects.toThrow('full');
      await endless.done.catch((e) => expect(isHostError(e)).toBe(true));
      expect(pool.stats().busy).toBe(0);
      endless.kill();
    },
  );

  it('finds a variable that only a login shell sets', async () => {
    const host = pool.host(server.login());
    expect(await host.variable('HOME')).not.toBe('');
    expect(await host.variable('SURELY_NOT_SET')).toBe('');
    await expect(host.variable('a;b')).rejects.toThrow(TypeError);
    writeFileSync(join(server.root, 'x'), '');
  });
});
