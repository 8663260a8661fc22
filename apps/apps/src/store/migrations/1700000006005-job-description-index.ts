import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The description of jobs is not among the scalars, as that of the version is; it may be longer than an ordered index takes. */
export class JobDescriptionIndex1700000006005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX apps_versions_job_description ON apps_versions
       USING hash ((attributes->'jobAttributes'->>'description'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX apps_versions_job_description');
  }
}
