import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Orders by what a list shows at first glance, and searches for who has a system by whom or by what number. */
export class MoreListIndexes1700000005040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES))
      await runner.query(`CREATE INDEX ${name} ON ${on}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${name}`);
  }
}

const INDEXES = {
  systems_by_enabled: 'systems (tenant, owner, enabled, id)',
  systems_by_public: 'systems (tenant, owner, is_public, id)',
  systems_by_exec: `systems (tenant, owner, ((scalars->>'canExec')::boolean), id)`,
  systems_by_method: `systems (tenant, owner, ((scalars->>'defaultAuthnMethod') COLLATE "C"), id)`,
  systems_uuid: 'systems (tenant, (uuid::text))',
  systems_shared: 'systems USING gin (shared_with)',
  systems_cred_mapped:
    'systems_cred_info (svc_user, login_user) WHERE NOT is_static AND login_user IS NOT NULL',
};
