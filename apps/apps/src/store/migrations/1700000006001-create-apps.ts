import { changeHistoryTable } from '@libs/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateApps1700000006001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE apps (
        seq_id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant         text NOT NULL,
        id             text NOT NULL,
        latest_version text COLLATE "C" NOT NULL,
        owner          text NOT NULL,
        enabled        boolean NOT NULL,
        deleted        boolean NOT NULL DEFAULT false,
        created        timestamptz NOT NULL DEFAULT now(),
        updated        timestamptz NOT NULL DEFAULT now(),
        UNIQUE (tenant, id)
      )`);
    await runner.query('CREATE INDEX apps_owner ON apps (tenant, owner)');
    await runner.query(`
      CREATE TABLE apps_versions (
        seq_id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        app_seq_id      bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
        version         text COLLATE "C" NOT NULL,
        uuid            uuid NOT NULL DEFAULT gen_random_uuid(),
        version_enabled boolean NOT NULL,
        locked          boolean NOT NULL,
        tags            text[] NOT NULL,
        attributes      jsonb NOT NULL,
        created         timestamptz NOT NULL DEFAULT now(),
        updated         timestamptz NOT NULL DEFAULT now(),
        UNIQUE (app_seq_id, version)
      )`);
    await runner.query('CREATE INDEX apps_versions_tags ON apps_versions USING gin (tags)');
    for (const statement of changeHistoryTable('apps_updates', 'apps'))
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE apps_updates, apps_versions, apps');
  }
}
