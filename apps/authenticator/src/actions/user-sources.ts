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
    const { custom_idp_configuration: custom, ldapId } = await this.place(tenant);
    if (identityProviders(custom).length) return OUTSIDE;
    if (!ldapId) return this.directory.of(tenant);
    return this.ldap.of(ldapId, custom['ldap'] as LdapSearchRules | undefined);
  }

  /** Whether people of the tenant have their passwords in the platform's own directory. */
  async isDirectory(tenant: string): Promise<boolean> {
    const { custom_idp_configuration: custom, ldapId } = await this.place(tenant);
    return !ldapId && !identityProviders(custom).length;
  }

  private async place(tenant: string) {
    const config = await this.configs.of(tenant);
    const record = this.tenants.tenant(tenant) as
      (TenantEntry & { user_ldap_connection_id?: string | null }) | undefined;
    return { ...config, ldapId: config.use_ldap ? record?.user_ldap_connection_id : null };
  }
}

/** People of an outside provider show no password here, and nothing but their name is known (contract, 6.5). */
const OUTSIDE: UserSource = {
  authenticate: async () => null,
  profile: async (username) => profileOf(username),
  profiles: async () => null,
};
