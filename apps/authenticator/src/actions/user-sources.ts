import { Injectable } from '@nestjs/common';
import { Tenants, type TenantEntry } from '@libs/auth';
import { identityProviders } from '../domain/identity-providers';
import type { LdapSearchRules } from '../domain/ldap-names';
import { profileOf, type UserSource } from '../domain/user-source';
import { DirectorySource } from './directory-source';
import { LdapSource } from './ldap-source';
import { TenantConfigs } from './tenant-configs';

/** The source of the people of each tenant: the platform's own directory, LDAP, or an outside provider. */
@Injectable()
export class UserSources {
  constructor(
    private readonly directory: DirectorySource,
    private readonly ldap: LdapSource,
    private readonly configs: TenantConfigs,
    private readonly tenants: Tenants,
  ) {}

  async of(tenant: string): Promise<UserSource> {
    const config = await this.configs.of(tenant);
    const { custom_idp_configuration: custom } = config;
    if (identityProviders(custom).length) return OUTSIDE;
    const record = this.tenants.tenant(tenant) as
      (TenantEntry & { user_ldap_connection_id?: string | null }) | undefined;
    const ldapId = config.use_ldap && record?.user_ldap_connection_id;
    if (!ldapId) return this.directory.of(tenant);
    return this.ldap.of(ldapId, custom['ldap'] as LdapSearchRules | undefined);
  }
}

/** People of an outside provider show no password here, and nothing but their name is known (contract, 6.5). */
const OUTSIDE: UserSource = {
  authenticate: async () => null,
  profile: async (username) => profileOf(username),
  profiles: async () => null,
};
