import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Credentials know for which host they were given: those that are there, for the one that their system names now. */
export class CredentialAddresses1700000005030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE systems_cred_info ADD address text');
    await runner.query(`
      UPDATE systems_cred_info c SET address = s.host || ' ' || coalesce(s.attributes->>'port', '-1')
      FROM systems s WHERE s.seq_id = c.system_seq_id`);
    await runner.query('ALTER TABLE systems_cred_info ALTER address SET NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE systems_cred_info DROP address');
  }
}
