import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateTokens1700000004001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE refresh_token (
        jti        uuid PRIMARY KEY,
        family     uuid NOT NULL,
        access_jti uuid NOT NULL,
        access_exp timestamptz NOT NULL,
        expires    timestamptz NOT NULL,
        used       timestamptz,
        revoked    boolean NOT NULL DEFAULT false
      )`);
    await runner.query('CREATE INDEX refresh_token_family ON refresh_token (family)');
    await runner.query(`
      CREATE TABLE revoked_token (
        jti     text PRIMARY KEY,
        expires timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE revoked_token, refresh_token');
  }
}
