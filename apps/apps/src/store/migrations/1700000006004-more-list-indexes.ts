import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Orders and searches by what is in use or public, and searches for who has an app by whom or by what number. */
export class MoreListIndexes1700000006004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES))
      await runner.query(`CREATE INDEX ${name} ON apps_versions ${on}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${name}`);
  }
}

const INDEXES = {
  apps_versions_latest_enabled: '(tenant, owner, enabled, id) WHERE latest',
  apps_versions_latest_public: '(tenant, owner, is_public, id) WHERE latest',
  apps_versions_uuid: '(tenant, (uuid::text))',
  apps_versions_shared: 'USING gin (shared_with)',
};
