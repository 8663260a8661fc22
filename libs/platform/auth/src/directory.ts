/** The registry of sites and tenants as services see it: the part of the records that decisions need. */
export interface SiteEntry {
  site_id: string;
  primary: boolean;
  base_url: string;
  tenant_base_url_template: string | null;
  site_admin_tenant_id: string;
  services: string[];
}

export interface TenantKey {
  kid: string;
  public_key: string;
  /** An earlier key counts until then; absent for the current one. */
  until?: string | null;
}

export interface TenantEntry {
  tenant_id: string;
  base_url: string;
  site_id: string;
  status: string;
  public_key: string | null;
  /** Every key that still verifies, the newest first; an earlier key stays until its last token has expired. */
  public_keys?: TenantKey[];
  token_service: string;
  admin_user?: string;
  token_gen_services?: string[];
}

export interface Directory {
  sites: SiteEntry[];
  tenants: TenantEntry[];
}

/** Where a service reads the registry: over HTTP, or from its own database in the service that owns it. */
export abstract class DirectorySource {
  abstract load(): Promise<Directory>;
}

/** The public keys that verify tokens of the tenant at this moment. */
export const keysOf = (tenant: TenantEntry, now = Date.now()): string[] => [
  ...new Set(
    [
      tenant.public_key,
      ...(tenant.public_keys ?? [])
        .filter(({ until }) => !until || Date.parse(until) > now)
        .map((k) => k.public_key),
    ].filter((k): k is string => !!k),
  ),
];
