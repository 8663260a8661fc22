import { isApiError } from '@libs/envelope';
import { type BundleStore, isBundleStore, isPassingProblem, joinPath } from '@libs/storage';
import type { ChildOutcome, ChildRow, ParentRow, TransfersWork } from '@libs/transfers-store';
import type { BothEnds, Ends, StoreEnd } from '../clients/ends';
import { billOfMaterials } from './bill-of-materials';
import { type BundleCopy, copyBundle, withoutTrouble } from './copy-bundle';
import { copyFile } from './copy-file';
import { isHostAway } from './host-away';
import { moveOnHost } from './move-on-host';

export interface RunTools {
  work: TransfersWork;
  ends: Ends;
  filesAtOnce: number;
  maxCount: number;
  /** Waits before each new try. */
  waitsMs: number[];
  stallMs: number;
}

/** Below this a file travels in the common stream. */
const SMALL = 1024 * 1024;
const BUNDLE_FILES = 10_000;
const BUNDLE_BYTES = 256 * 1024 * 1024;
/** Fewer are not worth two more commands. */
const BUNDLE_WORTH = 4;
const PROGRESS_MS = 1_000;
const FLUSH = 200;

/** Somebody else has the element now, or it was cancelled: there is nothing more to write. */
class Lost extends Error {}

/** One worker's turn at one element: from whatever state it is in to the end, or to the next try. */
export class ElementRun {
  private progressed = false;
  private done: ChildOutcome[] = [];

  constructor(
    private readonly parent: ParentRow,
    private readonly tools: RunTools,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<void> {
    try {
      await this.attempt();
    } catch (error) {
      if (error instanceof Lost || this.signal.aborted) return;
      if (!isRefusedLogin(error)) return this.failed(error);
      this.tools.ends.forget(this.parent);
      await this.attempt().catch((again) => {
        if (again instanceof Lost || this.signal.aborted) return;
        return this.failed(again);
      });
    }
  }

  private async attempt(): Promise<void> {
    const { work, ends } = this.tools;
    const both = await ends.open(this.parent);
    let fresh: ChildRow[] | undefined;
    if (this.parent.status === 'ACCEPTED' || this.parent.status === 'STAGING') {
      fresh = await this.stage(both);
      if (!fresh) return;
    }
    if (this.parent.status === 'STAGED') await this.move('IN_PROGRESS');
    const open = fresh ?? (await work.openChildren(this.parent));
    if (open.length) await this.copy(both, open);
    await this.flush();
    await this.finish();
  }

  /** Lists the source; undefined when nothing is left to copy. */
  private async stage(both: BothEnds): Promise<ChildRow[] | undefined> {
    const { work, maxCount } = this.tools;
    await this.move('STAGING');
    if (this.parent.transferType !== 'TRANSFER') {
      await moveOnHost(both, this.parent.transferType);
      await work.end(this.parent, 'COMPLETED', null);
      return undefined;
    }
    const bill = await billOfMaterials(both, maxCount);
    if (bill.directory) await both.destination.on((store) => store.mkdir(bill.destinationPath));
    const same = await isSamePlace(both, bill.destinationPath);
    if (bill.children.length === 0 || same) {
      // Copying a file onto itself would empty it.
      await work.end(this.parent, 'COMPLETED', null);
      return undefined;
    }
    const children = await work.stage(this.parent, bill.destinationPath, bill.children);
    if (!children) throw new Lost();
    this.parent.status = 'STAGED';
    this.parent.destinationPath = bill.destinationPath;
    return children;
  }

  private async copy(both: BothEnds, open: ChildRow[]): Promise<void> {
    const due = open.filter((c) => !c.nextRetry || c.nextRetry.getTime() <= Date.now());
    await this.makeDirectories(
      both.destination,
      due.filter((c) => c.dir),
    );
    let files = due.filter((c) => !c.dir);
    const { source, destination } = both;
    const base = this.parent.destinationPath!;
    // What failed before is looked at one by one: then its own trouble has a name.
    const small = files.filter((c) => c.totalBytes < SMALL && c.retries === 0);
    if (
      typeof source !== 'string' &&
      small.length >= BUNDLE_WORTH &&
      canBundle(source) &&
      canBundle(destination) &&
      (await source.on(() => source.store.canBundle(source.path))) &&
      (await destination.on(() => destination.store.canBundle(base)))
    ) {
      const arrived = new Set<number>();
      let written: Promise<void> | undefined;
      for (const batch of batches(small)) {
        const copy = {
          source,
          destination,
          destinationPath: base,
          files: batch,
          signal: this.signal,
          stallMs: this.tools.stallMs,
        };
        const outcome = await this.bundle(copy);
        for (const { id } of outcome) arrived.add(id);
        this.done.push(...outcome);
        // The database counts while the next stream runs.
        await written;
        written = this.flush();
        written.catch(() => undefined);
      }
      await written;
      files = files.filter((c) => !arrived.has(c.id));
    }
    await this.oneByOne(both, files);
  }

  /**
   * Twice: a host that goes away may end a command first, and does not say why. The second time without the files
   * that cannot be copied anyway, so that they do not take the others with them.
   */
  private bundle(copy: BundleCopy): Promise<ChildOutcome[]> {
    return copyBundle(copy)
      .catch(async (error) => {
        this.brokenBundle(error);
        return copyBundle((await withoutTrouble(copy)) ?? copy);
      })
      .catch((error) => this.brokenBundle(error));
  }

  /** A stream that one file broke does not decide about the others. A host that is away does. */
  private brokenBundle(error: unknown): ChildOutcome[] {
    if (this.signal.aborted || isHostAway(error) || isRefusedLogin(error)) throw error;
    return [];
  }

  private async makeDirectories(destination: StoreEnd, dirs: ChildRow[]): Promise<void> {
    if (!dirs.length) return;
    const base = this.parent.destinationPath!;
    const paths = dirs.map((c) => joinPath(base, c.path));
    await destination.on(async (store) => {
      if (isBundleStore(store) && (await store.canBundle(base))) return store.mkdirs(paths);
      for (const path of paths) await store.mkdir(path);
    });
    this.done.push(...dirs.map(({ id }) => ({ id, bytes: 0 })));
    await this.flush();
  }

  private async oneByOne(both: BothEnds, files: ChildRow[]): Promise<void> {
    const queue = [...files];
    const lanes = Array.from(
      { length: Math.min(this.tools.filesAtOnce, queue.length) },
      async () => {
        for (let child = queue.shift(); child; child = queue.shift()) {
          this.signal.throwIfAborted();
          try {
            await this.one(both, child);
          } catch (error) {
            queue.length = 0;
            throw error;
          }
        }
      },
    );
    const results = await Promise.allSettled(lanes);
    const broken = results.find((r) => r.status === 'rejected');
    if (broken) throw broken.reason;
  }

  private async one(both: BothEnds, child: ChildRow): Promise<void> {
    const { work, ends, waitsMs } = this.tools;
    this.keep(await work.begin(this.parent, [child.id]));
    let last = Date.now();
    const onProgress = (stored: number) => {
      if (Date.now() - last < PROGRESS_MS) return;
      last = Date.now();
      void work.progress(this.parent, child, stored).catch(() => undefined);
    };
    try {
      const destinationPath = this.parent.destinationPath!;
      const copy = { ends: both, destinationPath, child, signal: this.signal, onProgress };
      this.done.push({ id: child.id, bytes: await copyFile(ends.http, copy) });
      if (this.done.length >= FLUSH) await this.flush();
    } catch (thrown) {
      if (thrown instanceof Lost || this.signal.aborted) throw thrown;
      const error = both.destination.problem(thrown);
      if (isHostAway(error) || isRefusedLogin(error)) throw error;
      const wait =
        isPassingProblem(thrown) || isPassingProblem(error) ? waitsMs[child.retries] : undefined;
      const at = wait === undefined ? null : new Date(Date.now() + wait);
      await work.setBack(child, textOf(error), at);
      if (!at) throw new Failed(textOf(error));
    }
  }

  private async finish(): Promise<void> {
    const { work } = this.tools;
    const failure = await work.failure(this.parent);
    if (failure !== undefined) throw new Failed(failure);
    const left = await work.openChildren(this.parent);
    if (!left.length) {
      this.keep(await work.end(this.parent, 'COMPLETED', null));
      return;
    }
    const next = Math.min(...left.map((c) => c.nextRetry?.getTime() ?? Date.now()));
    const why = left.find((c) => c.errorMessage)?.errorMessage ?? null;
    await work.release(this.parent, new Date(next), why, this.parent.retries);
  }

  /** A passing reason means another try later, as long as the patience lasts; what moved on renews it. */
  private async failed(error: unknown): Promise<void> {
    const { work, waitsMs } = this.tools;
    await this.flush().catch(() => undefined);
    const tries = this.progressed ? 0 : this.parent.retries;
    const wait = isPassingProblem(error) ? waitsMs[tries] : undefined;
    if (wait === undefined) await work.end(this.parent, 'FAILED', textOf(error));
    else await work.release(this.parent, new Date(Date.now() + wait), textOf(error), tries + 1);
  }

  private async flush(): Promise<void> {
    const done = this.done;
    if (!done.length) return;
    this.done = [];
    this.keep(await this.tools.work.complete(this.parent, done));
    this.progressed = true;
  }

  private async move(status: 'STAGING' | 'IN_PROGRESS'): Promise<void> {
    this.keep(await this.tools.work.move(this.parent, status));
    this.parent.status = status;
  }

  private keep(held: boolean): void {
    if (!held) throw new Lost();
  }
}

/** One of its files cannot be copied, for the reason in the message. */
class Failed extends Error {}

function* batches(files: ChildRow[]): Generator<ChildRow[]> {
  let batch: ChildRow[] = [];
  let bytes = 0;
  for (const file of files) {
    batch.push(file);
    bytes += file.totalBytes;
    if (batch.length < BUNDLE_FILES && bytes < BUNDLE_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length) yield batch;
}

const canBundle = (end: StoreEnd): end is StoreEnd & { store: BundleStore } =>
  isBundleStore(end.store);

const isRefusedLogin = (error: unknown): boolean =>
  isApiError(error) && ['FILES_LOGIN_REFUSED', 'HOST_KEY_CHANGED'].includes(error.code);

const textOf = (error: unknown): string =>
  error instanceof Failed
    ? error.message
    : (isApiError(error) ? error.message : `FILES_TXFR_ERROR ${(error as Error).message}`).slice(
        0,
        4000,
      );

/** Whether source and destination are one and the same file or directory, whatever the systems are called. */
async function isSamePlace({ source, destination }: BothEnds, path: string): Promise<boolean> {
  if (typeof source === 'string' || source.host !== destination.host) return false;
  const [from, to] = await Promise.all([
    source.on((store) => store.realPath(source.path)),
    destination.on((store) => store.realPath(path)),
  ]);
  return from === to;
}
