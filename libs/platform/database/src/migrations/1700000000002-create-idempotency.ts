import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateIdempotency1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency (
        scope      text NOT NULL,
        key        text NOT NULL,
        body_hash  text NOT NULL,
        reply      jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (scope, key)
      )`);
    await runner.query('CREATE INDEX idempotency_age ON idempotency (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency');
  }
}
