import { Injectable } from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { Forbidden } from '@libs/envelope';
import { SecurityClient } from '@libs/security-client';
import { AuthEventsStore } from '../store/auth-events.store';
import { changeEvent, type Changer } from './change-events';
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
    private readonly events: AuthEventsStore,
  ) {}

  async put(by: Changer, name: string, password: string): Promise<void> {
    await this.security.writeSecret(await this.ref(by.caller, name), { password });
    await this.events.add(secretEvent(by, 'WRITTEN', name));
  }

  async remove(by: Changer, name: string): Promise<void> {
    await this.security.destroySecret(await this.ref(by.caller, name));
    await this.events.add(secretEvent(by, 'REMOVED', name));
  }

  private async ref(caller: Changer['caller'], name: string) {
    const tenant = this.tenants.here?.site_admin_tenant_id ?? '';
    if (caller.tenant !== tenant || !(await this.security.isAdmin(caller)))
      throw new Forbidden(
        'AUTHENTICATOR_SITE_ADMIN_ONLY',
        `Only administrators in the site's own tenant "${tenant}" may keep passwords of directories.`,
      );
    return { type: 'user', name, tenant, user: OWN_NAME } as const;
  }
}

/** The kernel knows this service alone as who wrote it; here is who told it to. */
const secretEvent = (by: Changer, outcome: string, details: string) =>
  changeEvent(by, { event: 'directory_secret', outcome, details });
