import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Scheduler profiles, notes about the security kernel, and how to find who names a system or a profile. */
export class ParentsProfilesNotes1700000005010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE scheduler_profiles (
        seq_id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant         text NOT NULL,
        name           text NOT NULL,
        description    text,
        owner          text NOT NULL,
        module_loads   jsonb NOT NULL,
        hidden_options text[] NOT NULL,
        uuid           uuid NOT NULL DEFAULT gen_random_uuid(),
        created        timestamptz(3) NOT NULL DEFAULT now(),
        updated        timestamptz(3) NOT NULL DEFAULT now(),
        UNIQUE (tenant, name)
      )`);
    await runner.query(`
      CREATE TABLE kernel_notes (
        uuid        uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant      text NOT NULL,
        id          text NOT NULL,
        owner       text,
        cred_user   text,
        cred_static boolean,
        methods     text[] NOT NULL,
        created     timestamptz NOT NULL DEFAULT now()
      )`);
    for (const [name, attribute] of Object.entries(NAMED))
      await runner.query(
        `CREATE INDEX ${name} ON systems (tenant, (attributes->>'${attribute}'))
         WHERE attributes->>'${attribute}' IS NOT NULL AND NOT deleted`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(NAMED)) await runner.query(`DROP INDEX ${name}`);
    await runner.query('DROP TABLE kernel_notes, scheduler_profiles');
  }
}

const NAMED = { systems_dtn: 'dtnSystemId', systems_profile: 'batchSchedulerProfile' };
