import { Injectable } from '@nestjs/common';
import { type Caller, Tenants } from '@libs/auth';
import { Forbidden } from '@libs/envelope';
import { SecurityClient } from '@libs/security-client';
import { OWN_NAME } from '../clients/secret-names';

/**
 * The passwords by which directories are read. They belong to this service, so that nobody else can read them; the
 * site's administrators hand them in here, under the names that LDAP records give.
 */
@Injectable()
export class DirectorySecrets {
  constructor(
    private readonly security: SecurityClient,
    private readonly tenants: Tenants,
  ) {}

  async put(caller: Caller, name: string, password: string): Promise<void> {
    await this.security.writeSecret(await this.ref(caller, name), { password });
  }

  async remove(caller: Caller, name: string): Promise<void> {
    await this.security.destroySecret(await this.ref(caller, name));
  }

  private async ref(caller: Caller, name: string) {
    const tenant = this.tenants.here?.site_admin_tenant_id ?? '';
    if (caller.tenant !== tenant || !(await this.security.isAdmin(caller)))
      throw new Forbidden(
        'AUTHENTICATOR_SITE_ADMIN_ONLY',
        `Only administrators in the site's own tenant "${tenant}" may keep passwords of directories.`,
      );
    return { type: 'user', name, tenant, user: OWN_NAME } as const;
  }
}
