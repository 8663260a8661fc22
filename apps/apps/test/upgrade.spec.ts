import { Database } from '@libs/database';
import { freshDatabase } from '@libs/kit';
import { listQuery } from '@libs/search';
import { listSpec } from '../src/domain/list-spec';
import { AppsListStore } from '../src/store/apps-list.store';
import { CreateApps1700000006001 } from '../src/store/migrations/1700000006001-create-apps';
import { TimesInMilliseconds1700000006002 } from '../src/store/migrations/1700000006002-times-in-milliseconds';
import { ListOneTable1700000006003 } from '../src/store/migrations/1700000006003-list-one-table';

it('finds apps that were there before lists had a table of their own', async () => {
  const url = freshDatabase();
  const service = 'apps';
  const older = [CreateApps1700000006001, TimesInMilliseconds1700000006002];
  const before = await Database.open(url, { service, migrations: older });
  await before.query(`INSERT INTO apps (tenant, id, latest_version, owner, enabled, deleted)
    VALUES ('dev', 'kept', '1.0', 'me', false, false), ('dev', 'dead', '1.0', 'me', true, true)`);
  await before.query(`INSERT INTO apps_versions (app_seq_id, version, version_enabled, locked, tags, attributes)
    SELECT seq_id, v, true, false, '{t}', '{"description": "d", "jobAttributes": {"execSystemId": "exec", "nodeCount": 3}}'
    FROM apps, unnest(ARRAY['1.0', '2.0']) v`);
  await before.close();
  const after = await Database.open(url, {
    service,
    migrations: [...older, ListOneTable1700000006003],
  });
  const list = async (search: string, allVersions = false) => {
    const query = listQuery({ search, computeTotal: 'true', orderBy: 'id,version' }, listSpec);
    const visible = { owner: 'me', showDeleted: false, allVersions };
    const { rows, total } = await new AppsListStore(after).list('dev', visible, query);
    return [total, ...rows.map(({ id, version, enabled }) => `${id} ${version} ${enabled}`)];
  };
  expect(await list('')).toEqual([1, 'kept 1.0 false']);
  expect(await list('execSystemId.eq.exec')).toEqual([1, 'kept 1.0 false']);
  expect(await list('(version.like.*)~(nodeCount.eq.3)', true)).toEqual([
    2,
    'kept 1.0 false',
    'kept 2.0 false',
  ]);
  await after.close();
});
