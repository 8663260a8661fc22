import { Injectable } from '@nestjs/common';
import { DirectorySource, type Directory } from '@libs/auth';
import { RegistryStore } from '../store/registry.store';

/** The registry reads itself from its own tables, not over HTTP. */
@Injectable()
export class OwnDirectory extends DirectorySource {
  constructor(private readonly registry: RegistryStore) {
    super();
  }

  async load(): Promise<Directory> {
    const [sites, tenants] = await Promise.all([
      this.registry.sites(),
      this.registry.tenants(['ACTIVE']),
    ]);
    return { sites: sites.map((s) => s.record), tenants: tenants.map((t) => t.record) };
  }
}
