import { Injectable } from '@nestjs/common';
import { Database } from '@libs/database';
import type { EntityManager } from 'typeorm';
import { AuditStore, type Change, type Changer } from '../store/audit.store';

export type Record = (change: Change) => void;

/** Every change of the security kernel goes through here: what it did and its record stand or fall together. */
@Injectable()
export class Changes {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditStore,
  ) {}

  /** Runs the work in one transaction; what it records is kept with it. Work that changed nothing records nothing. */
  make<T>(by: Changer, work: (tx: EntityManager, record: Record) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      const done: Change[] = [];
      const result = await work(tx, (change) => done.push(change));
      for (const change of done) await this.audit.add(tx, by, change);
      return result;
    });
  }
}
