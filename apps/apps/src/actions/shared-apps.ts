import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database } from '@libs/database';
import { BadInput } from '@libs/envelope';
import { SharedResources } from '@libs/security-client';
import { AppAccess } from '../clients/app-access';
import { missing } from '../domain/missing';
import type { AppRow } from '../store/app-row';
import { AppsStore } from '../store/apps.store';
import { HistoryStore } from '../store/history.store';

/** Apps as things that are shared, all versions at once. */
@Injectable()
export class SharedApps extends SharedResources<AppRow> {
  constructor(
    private readonly database: Database,
    private readonly apps: AppsStore,
    private readonly history: HistoryStore,
    private readonly access: AppAccess,
  ) {
    super();
  }

  async find({ tenant }: Caller, id: string): Promise<AppRow> {
    const row = await this.apps.find(tenant, id);
    if (!row || row.deleted) throw missing(tenant, id);
    return row;
  }

  record(caller: Caller, row: AppRow, operation: string, description: object): Promise<void> {
    return this.database.transaction((tx) =>
      this.history.add(tx, row.appSeqId, caller, operation, { App: row.id, ...description }),
    );
  }

  /** Asks while it holds the app, so that of two changes at once the later look is kept. */
  async sharesChanged(row: AppRow): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.apps.lockApp(tx, row.appSeqId);
      const sharing = await this.access.sharing(row);
      await this.apps.updateApp(tx, row.appSeqId, { sharing });
    });
  }

  override assertGrantable({ id, owner }: AppRow, user: string): void {
    if (user === owner)
      throw new BadInput(
        'APPLIB_PERM_OWNER_UPDATE',
        `"${user}" owns app "${id}" and has every permission on it.`,
      );
  }
}
