import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses from which somebody has logged in: the guesses of others elsewhere don't lock them out there. */
export class KnownPlaces1700000002301 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE known_place (
        who     text NOT NULL,
        address text NOT NULL,
        seen    timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (who, address)
      )`);
    await runner.query('CREATE INDEX known_place_seen ON known_place (seen)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE known_place');
  }
}
