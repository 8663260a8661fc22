import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The record tells of changes of accounts and settings too: by whom, and what. */
export class EventsOfChanges1700000002302 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth_event ADD changed_by text, ADD details text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth_event DROP changed_by, DROP details');
  }
}
