import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Profiles of accounts; browser sessions, second factors and remembered consents. */
export class People1700000002101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE account
        ADD COLUMN given_name   text,
        ADD COLUMN last_name    text,
        ADD COLUMN email        text,
        ADD COLUMN phone        text,
        ADD COLUMN mobile_phone text,
        ADD COLUMN enabled      boolean NOT NULL DEFAULT true,
        ADD COLUMN seeded       boolean NOT NULL DEFAULT false,
        ADD COLUMN updated      timestamptz NOT NULL DEFAULT now();
      CREATE TABLE browser_session (
        id_hash  bytea PRIMARY KEY,
        tenant   text NOT NULL,
        username text NOT NULL,
        idp_id   text,
        began    timestamptz NOT NULL DEFAULT now(),
        complete boolean NOT NULL,
        seen     timestamptz NOT NULL DEFAULT now(),
        expires  timestamptz NOT NULL
      );
      CREATE INDEX browser_session_user ON browser_session (tenant, username);
      CREATE INDEX browser_session_expires ON browser_session (expires);
      CREATE TABLE totp (
        tenant    text NOT NULL,
        username  text NOT NULL,
        enrolment uuid NOT NULL,
        confirmed timestamptz,
        last_step bigint NOT NULL DEFAULT 0,
        created   timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant, username)
      );
      CREATE TABLE recovery_code (
        tenant    text NOT NULL,
        username  text NOT NULL,
        code_hash bytea NOT NULL,
        PRIMARY KEY (tenant, username, code_hash),
        FOREIGN KEY (tenant, username) REFERENCES totp ON DELETE CASCADE
      );
      CREATE TABLE remembered_consent (
        tenant    text NOT NULL,
        username  text NOT NULL,
        client_id text NOT NULL,
        scope     text NOT NULL,
        given     timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant, username, client_id, scope)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE remembered_consent, recovery_code, totp, browser_session;
      ALTER TABLE account
        DROP COLUMN given_name, DROP COLUMN last_name, DROP COLUMN email, DROP COLUMN phone,
        DROP COLUMN mobile_phone, DROP COLUMN enabled, DROP COLUMN seeded, DROP COLUMN updated`);
  }
}
