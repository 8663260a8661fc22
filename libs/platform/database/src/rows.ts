import type { EntityManager } from 'typeorm';

export interface Outcome<T> {
  rows: T[];
  /** Rows written or, for a SELECT, read. */
  count: number;
}

/** Runs one statement inside the transaction; unlike TypeORM's own `query` the shape is the same for every verb. */
export async function run<T = Record<string, unknown>>(
  tx: EntityManager,
  sql: string,
  params: unknown[] = [],
): Promise<Outcome<T>> {
  if (!tx.queryRunner) throw new Error('run() needs the EntityManager of a transaction');
  const { records, affected } = await tx.queryRunner.query(sql, params, true);
  return { rows: records as T[], count: affected ?? 0 };
}
