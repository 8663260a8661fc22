import { changeHistoryTable } from '@libs/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSystems1700000005001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE systems (
        seq_id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant      text NOT NULL,
        id          text NOT NULL,
        uuid        uuid NOT NULL DEFAULT gen_random_uuid(),
        owner       text NOT NULL,
        system_type text NOT NULL,
        host        text NOT NULL,
        enabled     boolean NOT NULL,
        deleted     boolean NOT NULL DEFAULT false,
        parent_id   text,
        tags        text[] NOT NULL,
        attributes  jsonb NOT NULL,
        host_keys   text[] NOT NULL DEFAULT '{}',
        is_public   boolean NOT NULL DEFAULT false,
        shared_with text[] NOT NULL DEFAULT '{}',
        created     timestamptz NOT NULL DEFAULT now(),
        updated     timestamptz NOT NULL DEFAULT now(),
        UNIQUE (tenant, id)
      )`);
    await runner.query('CREATE INDEX systems_owner ON systems (tenant, owner)');
    await runner.query('CREATE INDEX systems_host ON systems (tenant, host)');
    await runner.query('CREATE INDEX systems_parent ON systems (tenant, parent_id)');
    await runner.query('CREATE INDEX systems_tags ON systems USING gin (tags)');
    await runner.query(`
      CREATE TABLE systems_cred_info (
        system_seq_id bigint NOT NULL REFERENCES systems ON DELETE CASCADE,
        svc_user      text NOT NULL,
        is_static     boolean NOT NULL,
        login_user    text,
        methods       text[] NOT NULL,
        created       timestamptz NOT NULL DEFAULT now(),
        updated       timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (system_seq_id, svc_user, is_static)
      )`);
    for (const statement of changeHistoryTable('system_updates', 'systems'))
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE system_updates, systems_cred_info, systems');
  }
}
