import { createHash } from 'node:crypto';
import type { Pool, QueryConfig } from 'pg';
import { DataSource, type EntityManager, type MixedList } from 'typeorm';
import { platform } from '@libs/platform-name';
import { createDatabase, databaseName, databaseUrl } from './create-database';
import { migrate } from './migrate';
import { CreateIdempotency1700000000002 } from './migrations/1700000000002-create-idempotency';
import { isEndedByServer } from './sql-state';
import { CreateOutbox1700000000001 } from './migrations/1700000000001-create-outbox';

export interface DatabaseOptions {
  /** Its database is named after it; two services with one database give the same name here. */
  service: string;
  // TypeORM types entities and migrations as functions.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
  entities?: Function[];
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
  migrations?: Function[];
  /** Connections at most; idle ones close after 10 s. Default 5. */
  poolSize?: number;
}

type AfterCommit = () => void;

/** One service's PostgreSQL database: plain SQL, transactions, and TypeORM's data source for whoever wants entities. */
export class Database {
  private readonly afterCommits = new WeakMap<EntityManager, AfterCommit[]>();
  private readonly names = new Map<string, string>();

  private constructor(
    readonly dataSource: DataSource,
    /** With the password: for clients that need a connection of their own. */
    readonly url: string,
  ) {}

  /** Makes the database if it is missing, brings it up to date and connects. */
  static async open(serverUrl: string, options: DatabaseOptions): Promise<Database> {
    const name = databaseName(serverUrl, platform().database(options.service));
    await createDatabase(serverUrl, name);
    const url = databaseUrl(serverUrl, name);
    const dataSource = new DataSource({
      type: 'postgres',
      url,
      applicationName: name,
      entities: (options.entities ?? []) as MixedList<never>,
      migrations: [
        CreateOutbox1700000000001,
        CreateIdempotency1700000000002,
        ...(options.migrations ?? []),
      ] as MixedList<never>,
      synchronize: false,
      logging: false,
      installExtensions: false,
      extra: {
        max: options.poolSize ?? 5,
        idleTimeoutMillis: 10_000,
        connectionTimeoutMillis: 10_000,
        keepAlive: true,
      },
      // A connection that breaks while idle is dropped by the pool and replaced at the next query.
      poolErrorHandler: () => undefined,
    });
    await dataSource.initialize();
    const database = new Database(dataSource, url);
    try {
      await migrate(dataSource, url);
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** One statement outside of any transaction; answers its rows. */
  async query<T = Record<string, unknown>>(sql: string, params: unknown[] = []): Promise<T[]> {
    return this.rows<T>({ text: sql, values: params });
  }

  /** Like `query`, planned once per connection: for hot statements whose text never varies. */
  async prepared<T = Record<string, unknown>>(sql: string, params: unknown[] = []): Promise<T[]> {
    let name = this.names.get(sql);
    if (!name) this.names.set(sql, (name = createHash('sha1').update(sql).digest('base64')));
    return this.rows<T>({ name, text: sql, values: params });
  }

  /** Commits when `work` resolves, rolls back when it rejects. */
  async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const later: AfterCommit[] = [];
    const result = await this.dataSource.transaction(async (tx) => {
      this.afterCommits.set(tx, later);
      return work(tx);
    });
    for (const run of later) run();
    return result;
  }

  /** Runs once the transaction is committed, not when it is rolled back. */
  afterCommit(tx: EntityManager, run: AfterCommit): void {
    const later = this.afterCommits.get(tx);
    if (!later)
      throw new Error('afterCommit() needs the EntityManager that transaction() handed out');
    if (!later.includes(run)) later.push(run);
  }

  /** Resolves when the server answers. */
  async ping(): Promise<void> {
    await this.query('SELECT 1');
  }

  async close(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  /** A server that ends a connection undoes what ran on it, so the statement is sent once more on another one. */
  private async rows<T>(query: QueryConfig): Promise<T[]> {
    try {
      return (await this.pool.query(query)).rows as T[];
    } catch (error) {
      if (!isEndedByServer(error)) throw error;
      return (await this.pool.query(query)).rows as T[];
    }
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}
