import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRegistry1700000003001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE site (
        site_id    text PRIMARY KEY,
        is_primary boolean NOT NULL,
        base_url   text NOT NULL UNIQUE,
        record     jsonb NOT NULL,
        created    timestamptz NOT NULL DEFAULT now(),
        updated    timestamptz NOT NULL DEFAULT now(),
        created_by text NOT NULL,
        updated_by text NOT NULL
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX site_one_primary ON site (is_primary) WHERE is_primary',
    );
    await runner.query(`
      CREATE TABLE tenant (
        tenant_id  text PRIMARY KEY,
        base_url   text NOT NULL UNIQUE,
        site_id    text NOT NULL REFERENCES site,
        status     text NOT NULL,
        record     jsonb NOT NULL,
        created    timestamptz NOT NULL DEFAULT now(),
        updated    timestamptz NOT NULL DEFAULT now(),
        created_by text NOT NULL,
        updated_by text NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tenant, site');
  }
}
