import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Session, TestHost } from '@libs/flows';
import { type BenchPlatform, withPlatform } from './bench-platform';
import { pairs, type Pairs, timed } from './measure';
import { memoryFolder } from './memory-folder';
import { OpenSsh, scp3 } from './open-ssh';

export interface TransferBench {
  pairs: number;
  /** Makes the source below the first host's root directory. */
  prepare: (host: TestHost) => void;
  source: string;
  /** What the source takes. */
  bytes: number;
  recursive: boolean;
  /** Throws when the copy is not what it should be. */
  verify: (from: TestHost, to: TestHost, copy: string) => void;
}

/** Copies from host to host by the platform and by `scp -3` in turn; answers milliseconds. */
export async function transferBench(
  bench: TransferBench,
  done: (measured: Pairs & { memory: boolean }, platform: BenchPlatform) => void,
): Promise<void> {
  const within = memoryFolder(4 * bench.bytes);
  await withPlatform(
    async (platform) => {
      const { host: from, say } = platform;
      const to = await TestHost.start({ within });
      try {
        bench.prepare(from);
        const session = await say.me();
        const [source, target] = [
          await say.given.system({ host: from, canExec: false }),
          await say.given.system({ host: to, canExec: false }),
        ];
        const uris = (copy: string) => ({
          sourceURI: `svc://${source}/${bench.source}`,
          destinationURI: `svc://${target}/${copy}`,
        });
        const measure = async (copy: string, work: () => Promise<unknown>) => {
          const ms = await timed(work);
          bench.verify(from, to, copy);
          rmSync(to.path(copy), { recursive: true });
          return ms;
        };
        const ours = (round: number) =>
          measure(`ours-${round}`, () => transfer(session, uris(`ours-${round}`)));
        const [a, b] = [new OpenSsh(from), new OpenSsh(to)];
        const theirs = (round: number) => {
          const copy = `scp-${round}`;
          const work = () => scp3(a, from.path(bench.source), b, to.path(copy), bench.recursive);
          return measure(copy, work);
        };
        done({ ...(await pairs(bench.pairs, ours, theirs)), memory: !!within }, platform);
        a.close();
        b.close();
      } finally {
        await to.close();
      }
    },
    { within },
  );
}

async function transfer(session: Session, element: object): Promise<void> {
  const { uuid } = await session.ask('POST', '/v3/files/transfers', { elements: [element] });
  for (;;) {
    const { status, errorMessage } = await session.ask('GET', `/v3/files/transfers/${uuid}`);
    if (status === 'COMPLETED') return;
    if (status === 'FAILED' || status === 'CANCELLED')
      throw new Error(`${status}: ${errorMessage}`);
    await delay(50);
  }
}
