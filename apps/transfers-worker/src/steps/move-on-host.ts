import { BadInput } from '@libs/envelope';
import { isStorageError } from '@libs/storage';
import type { ParentRow } from '@libs/transfers-store';
import type { BothEnds } from '../clients/ends';

/** Moves within one system, done by the host: what is in a directory, or a path itself. */
export async function moveOnHost(
  { source, destination }: BothEnds,
  transferType: ParentRow['transferType'],
): Promise<void> {
  if (typeof source === 'string' || source.place.systemId !== destination.place.systemId) {
    throw new BadInput('FILES_TXFR_DTN_MOVE_INVALID', `${transferType} stays on one system`);
  }
  await destination.on(async (store) => {
    if (transferType === 'SERVICE_MOVE_FILE_OR_DIRECTORY') {
      // A try that died after the move finds nothing left to do.
      const gone = await store.stat(source.path, { follow: false }).then(
        () => false,
        (error) => isStorageError(error, 'missing'),
      );
      if (gone && (await store.stat(destination.path).catch(() => undefined))) return;
      await store.move(source.path, destination.path);
      return;
    }
    await store.mkdir(destination.path);
    for (const entry of await store.list(source.path))
      await store.move(entry.path, destination.path);
  });
}
