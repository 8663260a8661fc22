import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The record of changes. Rows are only ever added: the table itself refuses everything else. */
export class CreateAudit1700000001005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit (
        id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        created     timestamptz NOT NULL DEFAULT now(),
        tenant      text NOT NULL,
        action      text NOT NULL,
        object      text NOT NULL,
        details     jsonb NOT NULL,
        jwt_tenant  text NOT NULL,
        jwt_user    text NOT NULL,
        obo_tenant  text NOT NULL,
        obo_user    text NOT NULL,
        delegator   text,
        tracking_id text NOT NULL
      )`);
    await runner.query('CREATE INDEX audit_tenant ON audit (tenant, id)');
    await runner.query(`
      CREATE FUNCTION audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'rows of the audit record are never changed or removed';
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
      FOR EACH STATEMENT EXECUTE FUNCTION audit_is_kept()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit');
    await runner.query('DROP FUNCTION audit_is_kept');
  }
}
