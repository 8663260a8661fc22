import { Injectable } from '@nestjs/common';
import { ChangeHistory, Database } from '@libs/database';

/** Who changed what of an app or of one of its versions. */
@Injectable()
export class HistoryStore extends ChangeHistory {
  constructor(database: Database) {
    super(database, 'apps_updates');
  }
}
