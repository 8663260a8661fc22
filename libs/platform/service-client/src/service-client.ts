import type { Tenants } from '@libs/auth';
import type { ServiceSettings } from '@libs/config';
import type { OwnTokens } from './own-tokens';
import { ServiceCalls, type OnBehalfOf } from './service-calls';
import type { Transport } from './transport';

/** Calls to other services with this service's own token, on behalf of a user. Injectable. */
export class ServiceClient {
  constructor(
    private readonly service: string,
    private readonly tenants: Tenants,
    private readonly settings: ServiceSettings,
    private readonly transport: Transport,
    private readonly tokens: () => OwnTokens,
  ) {}

  /** Calls for this caller: the tenant and user whose rights the other service looks at. */
  for(who: OnBehalfOf): ServiceCalls {
    return new ServiceCalls(who, this.tenants, this.settings, this.transport, this.tokens());
  }

  /** Calls as this service itself, in its site's administrative tenant. */
  async asItself(): Promise<ServiceCalls> {
    await this.tenants.ensureLoaded();
    const tenant = this.tenants.here?.site_admin_tenant_id ?? '';
    return this.for({ tenant, user: this.service });
  }
}
