import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sshd, type Sshd, until } from '@libs/kit';
import { PumpThread, SourceFailed } from '../src';

const root = resolve(__dirname, '../../../..');
const compiled = join(root, 'dist/libs/drivers/hosts/src/pump-thread.worker.js');

describe('the thread that copies large files', () => {
  let from: Sshd;
  let to: Sshd;
  let thread: PumpThread;
  beforeAll(async () => {
    // A thread loads what is compiled.
    execFileSync(process.execPath, ['tools/build.mjs', 'libs/drivers'], { cwd: root });
    [from, to] = (await sshd({ count: 2 })) as [Sshd, Sshd];
    thread = new PumpThread(compiled);
  });
  afterAll(async () => {
    await thread.close();
    await from.close();
    await to.close();
  });
  const source = (name: string) => ({ login: from.login(true), path: join(from.root, name) });
  const target = (name: string) => ({ login: to.login(true), path: join(to.root, name) });

  it('copies, goes on where it was, tells how far it is', async () => {
    const data = randomBytes(60_000_000);
    writeFileSync(source('f').path, data);
    const told: number[] = [];
    const onProgress = (stored: number) => void told.push(stored);
    expect(await thread.pump(source('f'), target('f'), { onProgress })).toBe(data.length);
    expect(readFileSync(target('f').path).equals(data)).toBe(true);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    writeFileSync(target('g').path, data.subarray(0, 1_000_000));
    expect(await thread.pump(source('f'), target('g'), { start: 900_000 })).toBe(data.length);
    expect(readFileSync(target('g').path).equals(data)).toBe(true);
  });

  it('says which side failed and why', async () => {
    writeFileSync(source('x').path, 'x');
    const missing = await thread.pump(source('none'), target('n'), {}).catch((e) => e);
    expect(missing).toBeInstanceOf(SourceFailed);
    expect(missing.cause).toMatchObject({ kind: 'sftp', reason: 'missing', host: from.host });
    const nowhere = thread.pump(source('x'), target('no/such/dir'), {});
    await expect(nowhere).rejects.toMatchObject({ kind: 'sftp', reason: 'missing', port: to.port });
    const changed = { ...target('x'), login: { ...to.login(), hostKeys: ['SHA256:other'] } };
    await expect(thread.pump(source('x'), changed, {})).rejects.toMatchObject({
      kind: 'host-key-changed',
      shown: to.hostKey,
    });
  });

  it('stops when told, and serves the next', async () => {
    writeFileSync(source('long').path, Buffer.alloc(400_000_000));
    const stop = new AbortController();
    const running = thread.pump(source('long'), target('long'), { signal: stop.signal });
    const seen = running.catch((e) => e);
    await until(() => existsSync(target('long').path) && statSync(target('long').path).size > 0);
    stop.abort();
    expect(await seen).toBeInstanceOf(Error);
    expect(statSync(target('long').path).size).toBeLessThan(400_000_000);
    expect(await thread.pump(source('x'), target('after'), {})).toBe(1);
  });

  it('fails what runs when the connection is cut', async () => {
    const running = thread.pump(source('long'), target('cut'), {}).catch((e) => e);
    await until(() => existsSync(target('cut').path) && statSync(target('cut').path).size > 0);
    to.cut();
    expect(await running).toMatchObject({ kind: 'unreachable' });
  });
});
