import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Tenants, type Caller } from '@libs/auth';
import { Log } from '@libs/service-kit';
import { Authority } from '../domain/authority';
import { SecretSeal } from '../domain/seal';
import { PostgresVault } from '../store/postgres-vault';
import { Changes } from './changes';

/** Versions of secrets in one transaction. */
const AT_ONCE = 100;

export interface RewrapState {
  running: boolean;
  /** The master key that wraps. */
  currentKey: string;
  /** Versions of secrets that another key still wraps. */
  remaining: number;
  keys: { keyId: string; versions: number }[];
}

/**
 * After a new master key was put in front of the old ones: wraps what they wrapped with the new one, in the background.
 * Secrets are readable all along, and a process that dies on the way leaves each of them to one key or the other.
 */
@Injectable()
export class RewrapActions implements BeforeApplicationShutdown {
  private work?: Promise<void>;
  private stopping = false;

  constructor(
    private readonly vault: PostgresVault,
    private readonly seal: SecretSeal,
    private readonly authority: Authority,
    private readonly tenants: Tenants,
    private readonly changes: Changes,
    private readonly log: Log,
  ) {}

  /** Starts the work unless it runs here already. */
  async start(caller: Caller): Promise<RewrapState> {
    await this.authority.assertSiteAdmin(caller);
    if (!this.work) {
      await this.changes.make(caller, async (_tx, record) => {
        const tenant = this.tenants.here!.site_admin_tenant_id;
        record({ tenant, action: 'site.rewrapSecrets', object: this.seal.current });
      });
      this.work ??= this.run().finally(() => (this.work = undefined));
    }
    return this.state(caller);
  }

  async state(caller: Caller): Promise<RewrapState> {
    await this.authority.assertSiteAdmin(caller);
    const keys = await this.vault.usedKeys();
    const others = keys.filter(({ keyId }) => keyId !== this.seal.current);
    return {
      running: this.work !== undefined,
      currentKey: this.seal.current,
      remaining: others.reduce((sum, { versions }) => sum + versions, 0),
      keys,
    };
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.work;
  }

  private async run(): Promise<void> {
    try {
      while (!this.stopping && (await this.vault.wrapSome(AT_ONCE)));
    } catch (err) {
      this.log.error({ err }, 'secrets could not be wrapped again');
    }
  }
}
