import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each version of a secret gets a key of its own, which lies beside it wrapped by a master key. Rows without one were
 * sealed by the master key itself; they stay readable and get theirs when they are wrapped again.
 */
export class WrapDataKeys1700000001006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE secret_version ADD COLUMN wrapped_key bytea');
    await runner.query('CREATE INDEX secret_version_key ON secret_version (key_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX secret_version_key');
    await runner.query('ALTER TABLE secret_version DROP COLUMN wrapped_key');
  }
}
