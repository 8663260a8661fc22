import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The searchable scalars as one flat document with an index, and an index for each of the usual orders of a list. */
export class ListIndexes1700000005020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX systems_owner, systems_host');
    await runner.query(`
      ALTER TABLE systems
        ALTER id          TYPE text COLLATE "C",
        ALTER owner       TYPE text COLLATE "C",
        ALTER host        TYPE text COLLATE "C",
        ALTER system_type TYPE text COLLATE "C",
        ADD scalars jsonb NOT NULL GENERATED ALWAYS AS (
          attributes - '{jobRuntimes,jobEnvVariables,batchLogicalQueues,jobCapabilities,notes}'::text[]
        ) STORED`);
    for (const [name, columns, more] of [
      ['id', 'tenant, owner, id', 'INCLUDE (deleted)'],
      ['host', 'tenant, owner, host, id', ''],
      ['type', 'tenant, owner, system_type, id', ''],
      ['created', 'tenant, owner, created, id', ''],
      ['updated', 'tenant, owner, updated, id', ''],
    ])
      await runner.query(`CREATE INDEX systems_by_${name} ON systems (${columns}) ${more}`);
    await runner.query(
      'CREATE INDEX systems_scalars ON systems USING gin (scalars jsonb_path_ops)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['id', 'host', 'type', 'created', 'updated'])
      await runner.query(`DROP INDEX systems_by_${name}`);
    await runner.query('ALTER TABLE systems DROP scalars');
    await runner.query('CREATE INDEX systems_owner ON systems (tenant, owner)');
    await runner.query('CREATE INDEX systems_host ON systems (tenant, host)');
  }
}
