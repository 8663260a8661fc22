import { Injectable } from '@nestjs/common';
import { Conflict } from '@libs/envelope';
import { Database, isDuplicate, Outbox, run } from '@libs/database';
import { tenantsChanged } from '@libs/messages';
import type { EntityManager } from 'typeorm';
import type { Site, SitePatch } from '../domain/site';
import type { Stored } from './stored';

const INSERT = `INSERT INTO site (site_id, is_primary, base_url, record, created_by, updated_by)
  VALUES ($1, $2, $3, $4, $5, $5)`;

/** Rows of sites; each change is told to every service. */
@Injectable()
export class SitesStore {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  async all(): Promise<Stored<Site>[]> {
    return this.database.query<Stored<Site>>(
      'SELECT * FROM site ORDER BY is_primary DESC, site_id',
    );
  }

  async find(id: string): Promise<Stored<Site> | undefined> {
    const sql = 'SELECT * FROM site WHERE site_id = $1';
    return (await this.database.query<Stored<Site>>(sql, [id]))[0];
  }

  async primary(): Promise<Site | undefined> {
    return (await this.all()).find(({ record }) => record.primary)?.record;
  }

  async add(site: Site, author: string): Promise<void> {
    await this.changed(site, (tx) => run(tx, INSERT, values(site, author)));
  }

  /** Seeds: a site that is there keeps its attributes, but runs whatever the installation says it runs. */
  async seed(sites: Site[], author: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const site of sites) {
        const sql = `${INSERT} ON CONFLICT (site_id) DO UPDATE SET record = jsonb_set(site.record, '{services}',
          (SELECT jsonb_agg(DISTINCT name) FROM jsonb_array_elements(
             (site.record->'services') || (excluded.record->'services')) AS name))
          WHERE NOT site.record->'services' @> (excluded.record->'services')`;
        await run(tx, sql, values(site, author));
      }
    });
  }

  /** The site after the change, or undefined when there is none. */
  async update(id: string, patch: SitePatch, author: string): Promise<Stored<Site> | undefined> {
    await this.changed({ site_id: id, ...patch }, (tx) =>
      run(
        tx,
        `UPDATE site SET record = record || $2::jsonb, base_url = coalesce($3, base_url),
         updated = now(), updated_by = $4 WHERE site_id = $1`,
        [id, JSON.stringify(patch), patch.base_url ?? null, author],
      ),
    );
    return this.find(id);
  }

  /** False when a tenant belongs to it. */
  async remove(id: string): Promise<boolean> {
    const removed = await this.database.transaction(async (tx) => {
      const sql =
        'DELETE FROM site WHERE site_id = $1 AND NOT EXISTS (SELECT FROM tenant WHERE site_id = $1)';
      const { count } = await run(tx, sql, [id]);
      if (count) await this.outbox.add(tx, tenantsChanged, {});
      return count;
    });
    return removed > 0;
  }

  private async changed(
    site: Partial<Site>,
    write: (tx: EntityManager) => Promise<unknown>,
  ): Promise<void> {
    try {
      await this.database.transaction(async (tx) => {
        await write(tx);
        await this.outbox.add(tx, tenantsChanged, {});
      });
    } catch (error) {
      throw duplicate(error, site) ?? error;
    }
  }
}

const values = (site: Site, author: string) => [
  site.site_id,
  site.primary,
  site.base_url,
  JSON.stringify(site),
  author,
];

function duplicate(error: unknown, site: Partial<Site>): Conflict | undefined {
  if (!isDuplicate(error)) return undefined;
  const known: [string, string][] = [
    ['site_base_url_key', `base_url ${site.base_url}`],
    ['site_template', `tenant_base_url_template ${site.tenant_base_url_template}`],
    ['site_admin_tenant', `site_admin_tenant_id ${site.site_admin_tenant_id}`],
  ];
  const what = known.find(([constraint]) => isDuplicate(error, constraint))?.[1];
  const text = what
    ? `Site ${site.site_id} can't have ${what}: another site has it.`
    : `There is a site "${site.site_id}" already.`;
  return new Conflict('TENANTS_SITE_DUPLICATE', text);
}
