import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateShares1700000001002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE share (
        id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant            text NOT NULL,
        grantor           text NOT NULL,
        grantee           text NOT NULL,
        resource_type     text NOT NULL,
        resource_id1      text NOT NULL,
        resource_id2      text,
        privilege         text NOT NULL,
        created           timestamptz NOT NULL DEFAULT now(),
        created_by        text NOT NULL,
        created_by_tenant text NOT NULL
      )`);
    // Ids may be longer than an index entry.
    await runner.query(`
      CREATE UNIQUE INDEX share_once ON share (tenant, md5(resource_id1), resource_type, grantee, privilege, grantor,
        md5(resource_id2), created_by, created_by_tenant) NULLS NOT DISTINCT`);
    await runner.query('CREATE INDEX share_resource ON share (tenant, resource_type)');
    await runner.query('CREATE INDEX share_grantee ON share (tenant, grantee, resource_type)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE share');
  }
}
