import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists read `apps_versions` alone: it gets copies of what all versions of an app have in common, the searchable
 * scalars as one flat document, and an index for each of the usual orders.
 */
export class ListOneTable1700000006003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const run = (sql: string) => runner.query(sql);
    await run('ALTER TABLE apps ALTER id TYPE text COLLATE "C", ALTER owner TYPE text COLLATE "C"');
    await run(`
      ALTER TABLE apps_versions
        ADD tenant      text,
        ADD id          text COLLATE "C",
        ADD owner       text COLLATE "C",
        ADD enabled     boolean,
        ADD deleted     boolean NOT NULL DEFAULT false,
        ADD latest      boolean NOT NULL DEFAULT true,
        ADD is_public   boolean NOT NULL DEFAULT false,
        ADD shared_with text[] NOT NULL DEFAULT '{}',
        ADD scalars     jsonb NOT NULL GENERATED ALWAYS AS (
          (attributes - '{runtimeOptions,jobAttributes,tags,notes}'::text[]) ||
          ((attributes->'jobAttributes') - '{description,execSystemConstraints,parameterSet,fileInputs,fileInputArrays,subscriptions,tags}'::text[])
        ) STORED`);
    await run(`
      UPDATE apps_versions v SET tenant = a.tenant, id = a.id, owner = a.owner, enabled = a.enabled, deleted = a.deleted,
        latest = v.version = a.latest_version, updated = greatest(a.updated, v.updated)
      FROM apps a WHERE a.seq_id = v.app_seq_id`);
    for (const column of ['tenant', 'id', 'owner', 'enabled'])
      await run(`ALTER TABLE apps_versions ALTER ${column} SET NOT NULL`);
    for (const [name, columns, more] of [
      ['id', 'tenant, owner, id, version', ''],
      ['version', 'tenant, owner, version, id', ''],
      ['named', 'tenant, id, version', ''],
      ['latest_id', 'tenant, owner, id', 'INCLUDE (deleted) WHERE latest'],
      ['latest_created', 'tenant, owner, created, id', 'WHERE latest'],
      ['latest_updated', 'tenant, owner, updated, id', 'WHERE latest'],
    ])
      await run(`CREATE INDEX apps_versions_${name} ON apps_versions (${columns}) ${more}`);
    await run(
      'CREATE INDEX apps_versions_scalars ON apps_versions USING gin (scalars jsonb_path_ops)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX apps_versions_version');
    await runner.query(`
      ALTER TABLE apps_versions DROP tenant, DROP id, DROP owner, DROP enabled, DROP deleted, DROP latest,
        DROP is_public, DROP shared_with, DROP scalars`);
  }
}
