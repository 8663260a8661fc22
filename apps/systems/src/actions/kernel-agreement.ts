import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Database } from '@libs/database';
import type { EntityManager } from 'typeorm';
import { CredentialVault } from '../clients/credential-vault';
import { SystemAccess } from '../clients/system-access';
import { SystemsSettings } from '../settings';
import { CredInfoStore } from '../store/cred-info.store';
import { KernelNotesStore, type KernelNote } from '../store/kernel-notes.store';
import { SystemsStore } from '../store/systems.store';

/**
 * The tables of systems and the security kernel cannot change in one transaction. Before or with a change that
 * concerns both, a note is written; settling it makes the kernel agree with the tables, whatever became of the change.
 */
@Injectable()
export class KernelAgreement implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly database: Database,
    private readonly notes: KernelNotesStore,
    private readonly systems: SystemsStore,
    private readonly credInfo: CredInfoStore,
    private readonly access: SystemAccess,
    private readonly vault: CredentialVault,
    private readonly settings: SystemsSettings,
  ) {}

  onApplicationBootstrap(): void {
    const { abandonedSeconds } = this.settings;
    const look = () => void this.sweep(abandonedSeconds).catch(() => undefined);
    this.timer = setInterval(look, abandonedSeconds * 1000).unref();
    look();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Settles what processes left that did not live to do it. A note that fails waits for the next time. */
  async sweep(olderThanSeconds: number): Promise<void> {
    for (const note of await this.notes.olderThan(olderThanSeconds))
      await this.settle(note).catch(() => undefined);
  }

  /** Looks at what the tables say now, and tells the kernel. */
  async settle(note: KernelNote): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.notes.lockSystem(tx, note);
      if (!(await this.notes.remove(tx, note))) return;
      const row = await this.systems.forUpdate(tx, note.tenant, '', note.id);
      if (note.owner !== null) await this.settleOwner({ ...note, owner: note.owner }, row);
      if (row?.deleted) await this.access.forget(row);
      await this.settleSecrets(tx, note, row?.seqId);
    });
  }

  private async settleOwner(
    { tenant, id, owner }: { tenant: string; id: string; owner: string },
    row: { owner: string; deleted: boolean } | undefined,
  ): Promise<void> {
    const rightful = row && !row.deleted ? row.owner : undefined;
    if (owner !== rightful) await this.access.revokeFiles(tenant, owner, id);
    if (rightful !== undefined) await this.access.grantFiles(tenant, rightful, id);
  }

  private async settleSecrets(
    tx: EntityManager,
    { tenant, id, credential, methods }: KernelNote,
    seqId: string | undefined,
  ): Promise<void> {
    if (!credential) return;
    const info = seqId && (await this.credInfo.find({ seqId, ...credential }, tx));
    const known = info ? info.methods : [];
    const place = { tenant, systemId: id, ...credential };
    await this.vault.destroy(
      place,
      methods.filter((method) => !known.includes(method)),
    );
  }
}
