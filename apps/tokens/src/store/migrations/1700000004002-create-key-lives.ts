import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long each signing key is still needed to verify what it signed. */
export class CreateKeyLives1700000004002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE key_life (
        kid    text PRIMARY KEY,
        tenant text NOT NULL,
        until  timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE key_life');
  }
}
