import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOutbox1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        message      text NOT NULL,
        payload      jsonb NOT NULL,
        available_at timestamptz NOT NULL DEFAULT now(),
        created_at   timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX outbox_due ON outbox (available_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outbox');
  }
}
