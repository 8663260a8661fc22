import { Injectable } from '@nestjs/common';
import { requestContext } from '@libs/auth';
import { Database, run } from '@libs/database';
import type { EntityManager } from 'typeorm';

/** One decision: who asked, how, and what came of it. Never a password, a key, a code or a token. */
export interface AuthEvent {
  tenant: string;
  event: string;
  /** `ISSUED` and the like, else the code of the refusal. */
  outcome: string;
  status: number;
  username?: string;
  clientId?: string;
  grantType?: string;
  address: string;
  /** Who changed it, for events that are changes. */
  by?: string;
  /** What was changed: names, never values. */
  details?: string;
}

export interface AuthEventRecord {
  id: number;
  time: string;
  event: string;
  outcome: string;
  status: number;
  username: string | null;
  client_id: string | null;
  grant_type: string | null;
  address: string;
  tracking_id: string | null;
  by: string | null;
  details: string | null;
}

export interface AuthEventFilter {
  limit: number;
  /** Only records older than the one of this id. */
  before?: number;
  username?: string;
  client_id?: string;
}

const SQL = `INSERT INTO auth_event (tenant, event, outcome, status, username, client_id, grant_type, address, tracking_id,
    changed_by, details)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const LONGEST = 120;
const LONGEST_DETAILS = 1_000;

const cut = (text: string | undefined) => text?.slice(0, LONGEST).replaceAll('\u0000', '');
const values = (e: AuthEvent) => [
  e.tenant,
  e.event,
  e.outcome,
  e.status,
  cut(e.username),
  cut(e.clientId),
  cut(e.grantType),
  e.address,
  requestContext()?.trackingId,
  e.by,
  e.details?.slice(0, LONGEST_DETAILS),
];

/** Writes the record in the transaction of what it tells of. */
export async function insertEvent(tx: EntityManager, event: AuthEvent): Promise<void> {
  await run(tx, SQL, values(event));
}

@Injectable()
export class AuthEventsStore {
  constructor(private readonly database: Database) {}

  async add(event: AuthEvent): Promise<void> {
    await this.database.query(SQL, values(event));
  }

  /** The newest first. */
  async list(
    tenant: string,
    { limit, before, username, client_id }: AuthEventFilter,
  ): Promise<AuthEventRecord[]> {
    const rows = await this.database.query<Omit<AuthEventRecord, 'time'> & { at: Date }>(
      `SELECT id, at, event, outcome, status, username, client_id, grant_type, address, tracking_id,
         changed_by AS by, details
       FROM auth_event
       WHERE tenant = $1 AND ($2::bigint IS NULL OR id < $2) AND ($3::text IS NULL OR username = $3)
         AND ($4::text IS NULL OR client_id = $4)
       ORDER BY id DESC LIMIT $5`,
      [tenant, before, username, client_id, limit],
    );
    return rows.map(({ at, id, ...row }) => ({ ...row, id: Number(id), time: at.toISOString() }));
  }

  async forgetOlderThan(days: number): Promise<void> {
    await this.database.query("DELETE FROM auth_event WHERE at < now() - $1 * interval '1 day'", [
      days,
    ]);
  }
}
