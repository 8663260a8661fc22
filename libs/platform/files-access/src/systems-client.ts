import { isApiError, NotFound } from '@libs/envelope';
import { path, type ServiceClient } from '@libs/service-client';
import type { Actor, KnownSystem, SystemRecord } from './system-record';

const KEEP_MS = 10_000;
const MOST = 2_000;

/**
 * Definitions of systems with the credential of the one who acts, kept for ten seconds. A missing, deleted or disabled
 * system is a 404.
 */
export class SystemsClient {
  private readonly kept = new Map<string, { found: Promise<KnownSystem>; until: number }>();

  constructor(private readonly client: ServiceClient) {}

  async get(actor: Actor, systemId: string): Promise<KnownSystem> {
    const key = keyOf(actor, systemId);
    const kept = this.kept.get(key);
    if (kept && kept.until > Date.now()) return kept.found;
    if (this.kept.size >= MOST) this.kept.clear();
    const found = this.fetch(actor, systemId);
    this.kept.set(key, { found, until: Date.now() + KEEP_MS });
    // who may not log in yet will soon try again: with a credential, or a right
    found.then(
      ({ system }) => system.authnCredential || this.kept.delete(key),
      () => this.kept.delete(key),
    );
    return found;
  }

  /** To be called when the host refused the login or showed another key: the definition may have changed. */
  forget(actor: Actor, systemId: string): void {
    this.kept.delete(keyOf(actor, systemId));
  }

  /** Tells the systems service the key of a host it has no pin for. It refuses (409) when another is pinned. */
  async pinHostKey(actor: Actor, systemId: string, fingerprint: string): Promise<void> {
    this.forget(actor, systemId);
    await this.client
      .for(actor)
      .post('systems', path`/v3/systems/${systemId}/hostKey`, { body: { fingerprint } });
  }

  private async fetch(actor: Actor, systemId: string): Promise<KnownSystem> {
    const known = await this.read(actor, systemId);
    const { system } = known;
    if (system.deleted) throw missing(actor.tenant, systemId);
    if (!system.enabled) {
      throw new NotFound(
        'FILES_SYS_NOTENABLED',
        `System ${systemId} of tenant ${actor.tenant} is not enabled`,
        systemId,
      );
    }
    return known;
  }

  private async read(actor: Actor, systemId: string): Promise<KnownSystem> {
    const url = path`/v3/systems/${systemId}`;
    try {
      const query = { returnCredentials: true };
      const system = await this.client.for(actor).get<SystemRecord>('systems', url, { query });
      return { system, visible: true };
    } catch (error) {
      if (!isApiError(error, 403) && !isApiError(error, 404)) throw error;
    }
    // A path of a system may be shared with somebody who may not read the definition.
    try {
      const { tenant, user } = actor;
      const query = { returnCredentials: true, resourceTenant: tenant, impersonationId: user };
      const itself = await this.client.asItself();
      return { system: await itself.get<SystemRecord>('systems', url, { query }), visible: false };
    } catch (error) {
      if (!isApiError(error, 403) && !isApiError(error, 404)) throw error;
      throw missing(actor.tenant, systemId);
    }
  }
}

export function missing(tenant: string, systemId: string): NotFound {
  return new NotFound(
    'FILES_SYS_NOTFOUND',
    `System ${systemId} is not found in tenant ${tenant}`,
    systemId,
  );
}

const keyOf = ({ tenant, user }: Actor, systemId: string): string =>
  JSON.stringify([tenant, user, systemId]);
