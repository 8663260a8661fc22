import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAccounts1700000002001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account (
        tenant        text NOT NULL,
        username      text NOT NULL,
        password_hash text NOT NULL,
        created       timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant, username)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE account');
  }
}
