import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRoles1700000001001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE role (
        id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant           text NOT NULL,
        name             text NOT NULL,
        type             text NOT NULL,
        description      text NOT NULL DEFAULT '',
        owner            text NOT NULL,
        owner_tenant     text NOT NULL,
        created          timestamptz NOT NULL DEFAULT now(),
        created_by       text NOT NULL,
        created_by_tenant text NOT NULL,
        updated          timestamptz NOT NULL DEFAULT now(),
        updated_by       text NOT NULL,
        updated_by_tenant text NOT NULL,
        UNIQUE (tenant, name)
      )`);
    await runner.query(`
      CREATE TABLE role_permission (
        role_id    bigint NOT NULL REFERENCES role ON DELETE CASCADE,
        permission text NOT NULL,
        schema     text NOT NULL
      )`);
    // Permissions may be longer than an index entry.
    await runner.query(
      'CREATE UNIQUE INDEX role_permission_once ON role_permission (role_id, md5(permission))',
    );
    await runner.query(`
      CREATE TABLE role_tree (
        parent_id bigint NOT NULL REFERENCES role ON DELETE CASCADE,
        child_id  bigint NOT NULL REFERENCES role ON DELETE CASCADE,
        PRIMARY KEY (parent_id, child_id),
        CHECK (parent_id <> child_id)
      )`);
    await runner.query('CREATE INDEX role_tree_child ON role_tree (child_id)');
    await runner.query(`
      CREATE TABLE user_role (
        tenant   text NOT NULL,
        username text NOT NULL,
        role_id  bigint NOT NULL REFERENCES role ON DELETE CASCADE,
        PRIMARY KEY (tenant, username, role_id)
      )`);
    await runner.query('CREATE INDEX user_role_role ON user_role (role_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE user_role, role_tree, role_permission, role');
  }
}
