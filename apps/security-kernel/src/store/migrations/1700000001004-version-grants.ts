import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose roles or permissions a change of these rows touches: one user for a default role, else everybody ('') . */
const OF_ROLE = `r.tenant, CASE WHEN r.type = 'USER_DEFAULT' THEN substr(r.name, 3) ELSE '' END AS username`;

/** Each table with what tells the touched users from its changed rows. A role that is gone took its rows along. */
const WATCHED: [table: string, events: string[], touched: string][] = [
  ['user_role', ['INSERT', 'DELETE'], 'SELECT c.tenant, c.username FROM changed c'],
  [
    'role_permission',
    ['INSERT', 'DELETE'],
    `SELECT ${OF_ROLE} FROM changed c JOIN role r ON r.id = c.role_id`,
  ],
  [
    'role_tree',
    ['INSERT', 'DELETE'],
    `SELECT ${OF_ROLE} FROM changed c JOIN role r ON r.id = c.parent_id`,
  ],
  ['role', ['UPDATE', 'DELETE'], `SELECT ${OF_ROLE} FROM changed r`],
];

/**
 * Counts the changes of what a user holds, so that every process can keep what it worked out and still see each change
 * at once: the row of the user for what is theirs alone, the row of '' for what many may hold. Triggers, because a
 * change that is not counted would be a wrong answer.
 */
export class VersionGrants1700000001004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE grants_version (
        tenant   text NOT NULL,
        username text NOT NULL,
        version  bigint NOT NULL DEFAULT 1,
        PRIMARY KEY (tenant, username)
      ) WITH (fillfactor = 70)`);
    for (const [table, events, touched] of WATCHED) {
      // In order, so that two changes of many users never wait for each other in a circle.
      await runner.query(`
        CREATE FUNCTION ${table}_changed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO grants_version (tenant, username)
            SELECT DISTINCT tenant, username FROM (${touched}) t ORDER BY 1, 2
            ON CONFLICT (tenant, username) DO UPDATE SET version = grants_version.version + 1;
          RETURN NULL;
        END $$`);
      for (const event of events)
        await runner.query(`
          CREATE TRIGGER ${table}_${event.toLowerCase()}_counted AFTER ${event} ON ${table}
          REFERENCING ${event === 'INSERT' ? 'NEW' : 'OLD'} TABLE AS changed
          FOR EACH STATEMENT EXECUTE FUNCTION ${table}_changed()`);
    }
    await runner.query(
      'ALTER TABLE role_permission ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE role_permission DROP COLUMN id');
    for (const [table, events] of WATCHED) {
      for (const event of events)
        await runner.query(`DROP TRIGGER ${table}_${event.toLowerCase()}_counted ON ${table}`);
      await runner.query(`DROP FUNCTION ${table}_changed`);
    }
    await runner.query('DROP TABLE grants_version');
  }
}
