import { Injectable } from '@nestjs/common';
import { TooMany } from '@libs/envelope';
import { AuthenticatorSettings } from '../settings';
import { AttemptsStore } from '../store/attempts.store';

/** How many requests the token endpoints take in a minute, over all processes of the service. */
@Injectable()
export class RateLimits {
  constructor(
    private readonly store: AttemptsStore,
    private readonly settings: AuthenticatorSettings,
  ) {}

  /** One more request; throws TooMany (429 with Retry-After) above the limit. */
  async count(tenant: string, address: string): Promise<void> {
    const { tenantRequests, addressRequests } = this.settings;
    await this.check({
      [`tenant ${tenant}`]: tenantRequests,
      [`address ${tenant} ${address}`]: addressRequests,
    });
  }

  async countClient(tenant: string, clientId: string): Promise<void> {
    await this.check({ [`client ${tenant} ${clientId}`]: this.settings.clientRequests });
  }

  private async check(limits: Record<string, number>): Promise<void> {
    const { counts, left } = await this.store.count(Object.keys(limits));
    const over = Object.entries(limits).find(([key, most]) => (counts.get(key) ?? 0) > most);
    if (!over) return;
    const [kind = ''] = over[0].split(' ');
    throw new TooMany(
      'AUTHENTICATOR_RATE_LIMIT',
      `This ${kind} may ask for tokens ${over[1]} times a minute; the next minute begins in ${left} s.`,
      left,
    );
  }
}
