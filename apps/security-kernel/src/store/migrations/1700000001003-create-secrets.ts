import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSecrets1700000001003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE secret (
        id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant          text NOT NULL,
        path            text NOT NULL,
        current_version integer NOT NULL,
        created         timestamptz NOT NULL DEFAULT now(),
        updated         timestamptz NOT NULL DEFAULT now(),
        UNIQUE (tenant, path)
      )`);
    await runner.query('CREATE INDEX secret_folder ON secret (tenant, path text_pattern_ops)');
    await runner.query(`
      CREATE TABLE secret_version (
        secret_id  bigint NOT NULL REFERENCES secret ON DELETE CASCADE,
        version    integer NOT NULL,
        key_id     text,
        nonce      bytea,
        tag        bytea,
        ciphertext bytea,
        created    timestamptz NOT NULL DEFAULT now(),
        deleted    timestamptz,
        destroyed  boolean NOT NULL DEFAULT false,
        PRIMARY KEY (secret_id, version)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE secret_version, secret');
  }
}
