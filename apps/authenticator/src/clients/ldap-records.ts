import { Injectable } from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { Upstream } from '@libs/envelope';
import { SecurityClient } from '@libs/security-client';
import { path, ServiceClient } from '@libs/service-client';
import { LRUCache } from 'lru-cache';
import type { LdapRecord } from '../domain/ldap-names';
import { OWN_NAME } from './secret-names';

const KEPT_MS = 30_000;

/** The records of the sites' LDAP connections and the passwords that belong to them. */
@Injectable()
export class LdapRecords {
  /** What is known stays known while the registry at the primary site is away. */
  private readonly records = new LRUCache<string, LdapRecord>({
    max: 1000,
    ttl: KEPT_MS,
    noDeleteOnFetchRejection: true,
    allowStaleOnFetchRejection: true,
    fetchMethod: (id) => this.load(id),
  });

  constructor(
    private readonly client: ServiceClient,
    private readonly security: SecurityClient,
    private readonly tenants: Tenants,
  ) {}

  async record(id: string): Promise<LdapRecord> {
    return (await this.records.fetch(id))!;
  }

  private async load(id: string): Promise<LdapRecord> {
    const calls = await this.client.asItself();
    return calls.get<LdapRecord>('tenants', path`/v3/tenants/ldaps/${id}`);
  }

  /** Read each time it is needed and never kept. */
  async password({ ldap_id, bind_credential }: LdapRecord): Promise<string> {
    const tenant = this.tenants.here?.site_admin_tenant_id ?? '';
    const secret = { type: 'user', name: bind_credential, tenant, user: OWN_NAME } as const;
    const password = (await this.security.readSecret(secret))?.['password'];
    if (password) return password;
    throw new Upstream(
      'AUTHENTICATOR_LDAP_SECRET',
      `The directory "${ldap_id}" names the secret "${bind_credential}" of ${OWN_NAME}@${tenant}, which has no key "password".`,
    );
  }
}
