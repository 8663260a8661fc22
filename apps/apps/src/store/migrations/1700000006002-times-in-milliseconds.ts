import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Times as exact as they are shown, so that a shown one finds its record and `startAfter` leaves it behind. */
export class TimesInMilliseconds1700000006002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['apps', 'apps_versions'])
      await runner.query(
        `ALTER TABLE ${table} ALTER created TYPE timestamptz(3), ALTER updated TYPE timestamptz(3)`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['apps', 'apps_versions'])
      await runner.query(
        `ALTER TABLE ${table} ALTER created TYPE timestamptz, ALTER updated TYPE timestamptz`,
      );
  }
}
