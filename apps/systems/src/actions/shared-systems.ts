import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database } from '@libs/database';
import { SharedResources } from '@libs/security-client';
import { SystemAccess } from '../clients/system-access';
import { HistoryStore } from '../store/history.store';
import type { SystemRow } from '../store/system-row';
import { SystemsStore } from '../store/systems.store';
import { ReadSystems } from './read-systems';

/** Systems as things that are shared: changed permissions go into the history, shares are copied for showing. */
@Injectable()
export class SharedSystems extends SharedResources<SystemRow> {
  constructor(
    private readonly database: Database,
    private readonly systems: SystemsStore,
    private readonly history: HistoryStore,
    private readonly access: SystemAccess,
    private readonly read: ReadSystems,
  ) {
    super();
  }

  find(caller: Caller, id: string): Promise<SystemRow> {
    return this.read.live(caller, id);
  }

  record(caller: Caller, row: SystemRow, operation: string, description: object): Promise<void> {
    return this.database.transaction((tx) =>
      this.history.add(tx, row.seqId, caller, operation, { System: row.id, ...description }),
    );
  }

  /** Asks while it holds the row, so that of two changes at once the later look is kept. */
  async sharesChanged(row: SystemRow): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.systems.forUpdate(tx, row.tenant, row.owner, row.id);
      await this.systems.setSharing(tx, row.seqId, await this.access.sharing(row));
    });
  }
}
