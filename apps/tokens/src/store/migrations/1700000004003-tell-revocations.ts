import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which revocations an associate site has told the primary. */
export class TellRevocations1700000004003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE revoked_token ADD told boolean NOT NULL DEFAULT false');
    await runner.query(
      'CREATE INDEX revoked_token_untold ON revoked_token (expires) WHERE NOT told',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE revoked_token DROP told');
  }
}
