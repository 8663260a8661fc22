import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import { BadInput } from '@libs/envelope';
import type { EntityManager } from 'typeorm';
import type { NewSchedulerProfile } from '../domain/scheduler-profile';

export interface SchedulerProfile extends NewSchedulerProfile {
  tenant: string;
  owner: string;
  uuid: string;
  created: Date;
  updated: Date;
}

const COLUMNS = `tenant, name, description, owner, module_loads AS "moduleLoads", hidden_options AS "hiddenOptions",
  uuid, created, updated`;

/** Scheduler profiles of tenants. */
@Injectable()
export class SchedulerProfilesStore {
  constructor(private readonly database: Database) {}

  list(tenant: string): Promise<SchedulerProfile[]> {
    return this.database.query<SchedulerProfile>(
      `SELECT ${COLUMNS} FROM scheduler_profiles WHERE tenant = $1 ORDER BY name`,
      [tenant],
    );
  }

  async find(tenant: string, name: string): Promise<SchedulerProfile | undefined> {
    const rows = await this.database.query<SchedulerProfile>(
      `SELECT ${COLUMNS} FROM scheduler_profiles WHERE tenant = $1 AND name = $2`,
      [tenant, name],
    );
    return rows[0];
  }

  /** False when the name is taken. */
  async insert(
    tx: EntityManager,
    tenant: string,
    profile: NewSchedulerProfile & { owner: string },
  ): Promise<boolean> {
    const { name, description, owner, moduleLoads, hiddenOptions } = profile;
    const { count } = await run(
      tx,
      `INSERT INTO scheduler_profiles (tenant, name, description, owner, module_loads, hidden_options)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant, name) DO NOTHING`,
      [tenant, name, description ?? null, owner, JSON.stringify(moduleLoads), hiddenOptions],
    );
    return count > 0;
  }

  /** A system that names the profile is being stored: until it is, the profile can't go. */
  async assertStays(tx: EntityManager, tenant: string, name: string | undefined): Promise<void> {
    if (!name) return;
    const sql = 'SELECT 1 FROM scheduler_profiles WHERE tenant = $1 AND name = $2 FOR KEY SHARE';
    const { rows } = await run(tx, sql, [tenant, name]);
    if (!rows.length)
      throw new BadInput('SYSLIB_PRF_NO_PROFILE', `There is no scheduler profile "${name}".`);
  }

  /** A system, not deleted, that names the profile; the profile is locked until the transaction ends. */
  async user(tx: EntityManager, tenant: string, name: string): Promise<string | undefined> {
    const lock = 'SELECT 1 FROM scheduler_profiles WHERE tenant = $1 AND name = $2 FOR UPDATE';
    await run(tx, lock, [tenant, name]);
    const { rows } = await run<{ id: string }>(
      tx,
      `SELECT id FROM systems WHERE tenant = $1 AND attributes->>'batchSchedulerProfile' = $2 AND NOT deleted
       ORDER BY id LIMIT 1`,
      [tenant, name],
    );
    return rows[0]?.id;
  }

  async remove(tx: EntityManager, tenant: string, name: string): Promise<number> {
    const sql = 'DELETE FROM scheduler_profiles WHERE tenant = $1 AND name = $2';
    return (await run(tx, sql, [tenant, name])).count;
  }
}
