import { Injectable } from '@nestjs/common';
import { ChangeHistory, Database } from '@libs/database';

/** Who changed what of a system. */
@Injectable()
export class HistoryStore extends ChangeHistory {
  constructor(database: Database) {
    super(database, 'system_updates');
  }
}
