import { Injectable } from '@nestjs/common';
import { DirectorySource, type Directory } from '@libs/auth';
import { SitesStore } from '../store/sites.store';
import { TenantsStore } from '../store/tenants.store';

/** The registry reads itself from its own tables, not over HTTP. */
@Injectable()
export class OwnDirectory extends DirectorySource {
  constructor(
    private readonly sites: SitesStore,
    private readonly tenants: TenantsStore,
  ) {
    super();
  }

  async load(): Promise<Directory> {
    const [sites, tenants] = await Promise.all([
      this.sites.all(),
      this.tenants.withStatus(['ACTIVE']),
    ]);
    return { sites: sites.map((s) => s.record), tenants: tenants.map((t) => t.record) };
  }
}
