import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Owners, LDAP records and the history of tenants; what a tenant refers to can't be deleted any more. */
export class CompleteRegistry1700000003002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const author = 'created_by text NOT NULL, updated_by text NOT NULL';
    const times =
      'created timestamptz NOT NULL DEFAULT now(), updated timestamptz NOT NULL DEFAULT now()';
    await runner.query(
      `CREATE TABLE owner (email text PRIMARY KEY, record jsonb NOT NULL, ${times}, ${author})`,
    );
    await runner.query(
      `CREATE TABLE ldap (ldap_id text PRIMARY KEY, record jsonb NOT NULL, ${times}, ${author})`,
    );
    await runner.query(`
      INSERT INTO owner (email, record, created_by, updated_by)
      SELECT DISTINCT ON (email) email, jsonb_build_object('name', email, 'email', email, 'institution', '-'),
             created_by, created_by
      FROM (SELECT record->>'owner' AS email, created_by FROM tenant) t WHERE email IS NOT NULL`);
    await runner.query(`
      ALTER TABLE tenant
        ADD owner text GENERATED ALWAYS AS (record->>'owner') STORED REFERENCES owner,
        ADD service_ldap text GENERATED ALWAYS AS (record->>'service_ldap_connection_id') STORED REFERENCES ldap,
        ADD user_ldap text GENERATED ALWAYS AS (record->>'user_ldap_connection_id') STORED REFERENCES ldap`);
    // host names know no letter case
    await runner.query('CREATE UNIQUE INDEX tenant_any_case ON tenant (lower(tenant_id))');
    await runner.query(`
      CREATE UNIQUE INDEX site_template ON site ((record->>'tenant_base_url_template'))`);
    await runner.query(
      `CREATE UNIQUE INDEX site_admin_tenant ON site ((record->>'site_admin_tenant_id'))`,
    );
    await runner.query(`
      CREATE TABLE tenant_history (
        id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant_id  text NOT NULL REFERENCES tenant,
        updated    timestamptz NOT NULL DEFAULT now(),
        updated_by text NOT NULL,
        updates    jsonb NOT NULL
      )`);
    await runner.query('CREATE INDEX tenant_history_of ON tenant_history (tenant_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tenant_history');
    await runner.query('DROP INDEX tenant_any_case, site_template, site_admin_tenant');
    await runner.query('ALTER TABLE tenant DROP owner, DROP service_ldap, DROP user_ldap');
    await runner.query('DROP TABLE owner, ldap');
  }
}
