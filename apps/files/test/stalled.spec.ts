import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sshd, type Sshd, until } from '@libs/kit';
import type { RunningService } from '@libs/service-kit';
import { transfersWorker } from '@apps/transfers-worker';
import { World } from './world';

const FILES = 400;
const BYTES = 64 * 1024;

let world: World;
let worker: RunningService;
let other: Sshd;
beforeAll(async () => {
  [world, other] = await Promise.all([World.start(), sshd()]);
  const settings = { TRANSFER_RETRY_SECONDS: '0.2,0.5,1', TRANSFER_STALL_SECONDS: '2' };
  worker = await world.alsoRun(transfersWorker, settings);
});
afterAll(async () => {
  await worker?.close();
  await world?.close();
  await other?.close();
});

/** The unpacking command of a transfer to this directory. */
const unpacking = (folder: string): number | undefined =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return words[0] === 'tar' && words.includes('-x') && words.includes(folder);
      } catch {
        return false;
      }
    });

it('a stream in which nothing moves any more is given up and made anew', async () => {
  const from = world.system('stall-from').rootDir;
  const to = world.system('stall-to', 'testuser1', { host: other }).rootDir;
  mkdirSync(join(from, 'many'));
  for (let i = 0; i < FILES; i++)
    writeFileSync(join(from, 'many', `f${i}`), Buffer.alloc(BYTES, i));
  const elements = [{ sourceURI: 'svc://stall-from/many', destinationURI: 'svc://stall-to/many' }];
  const { body } = await world.ask('POST', '/v3/files/transfers', undefined, { elements });
  const { uuid } = body.result;
  const frozen = await until(() => unpacking(join(to, 'many')), 30_000, 1);
  process.kill(frozen, 'SIGSTOP');
  try {
    const done = await until(async () => {
      const { result } = (await world.get(`/v3/files/transfers/${uuid}`)).body;
      return ['COMPLETED', 'FAILED'].includes(result.status) && result;
    }, 90_000);
    expect([done.status, done.errorMessage]).toEqual(['COMPLETED', null]);
    expect(done.completeTransfers).toBe(FILES);
    expect(readdirSync(join(to, 'many')).length).toBe(FILES);
  } finally {
    process.kill(frozen, 'SIGKILL');
  }
});
