import { Injectable } from '@nestjs/common';
import { keyId, Tenants, type TenantKey } from '@libs/auth';
import { isApiError } from '@libs/envelope';
import { TenantRegistry, type ReadTenant, type RegisteredTenant } from '../clients/tenant-registry';
import { keyRing } from '../domain/key-ring';
import { TokensSettings } from '../settings';
import { KeyLivesStore } from '../store/key-lives.store';
import { TokensStore } from '../store/tokens.store';
import { crashPoint } from './crash-point';
import { PrivateKeys } from './private-keys';

/** Others may change the record between reading and writing it. */
const TRIES = 10;

/** The keys on the records of the site's tenants. */
@Injectable()
export class TenantKeys {
  constructor(
    private readonly settings: TokensSettings,
    private readonly tenants: Tenants,
    private readonly registry: TenantRegistry,
    private readonly privateKeys: PrivateKeys,
    private readonly lives: KeyLivesStore,
    private readonly store: TokensStore,
  ) {}

  /**
   * Gives the tenant a new key; answers its public half. The private half is stored first and signs nothing before
   * the record names it, so this may be cut off anywhere: the next call takes the key that was left over.
   */
  async renew(tenantId: string, status?: string): Promise<string> {
    const { record } = await this.registry.tenant(tenantId);
    const known = [await currentKey(record), ...(record.public_keys ?? [])].map((key) => key?.kid);
    const left = await this.privateKeys.newest(tenantId);
    const unused = left && !known.includes(left.kid) ? left : undefined;
    const { kid, publicKey } = unused ?? (await this.privateKeys.make(tenantId));
    crashPoint(this.settings, 'rotation:made');
    await this.write(tenantId, { kid, public_key: publicKey }, status);
    crashPoint(this.settings, 'rotation:published');
    // every service of this site has heard of the key when it signs the first token
    await this.store.tellTenantsChanged();
    crashPoint(this.settings, 'rotation:told');
    await this.tenants.refresh();
    // what was signed with the earlier key in the meantime
    await this.tidy(tenantId);
    return publicKey;
  }

  /** Drops the earlier keys that verify nothing any more, keeps longer those that do. */
  async tidy(tenantId: string): Promise<void> {
    const { record } = await this.registry.tenant(tenantId);
    const current = await currentKey(record);
    if (current && record.public_keys?.length) await this.write(tenantId, current);
  }

  private async write(tenantId: string, current: TenantKey, status?: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const read = await this.registry.tenant(tenantId);
      const keys = await this.ring(read, current);
      if (!status && sameKeys(keys, read.record)) return;
      try {
        return await this.registry.setKeys(read, keys, status);
      } catch (error) {
        if (!isApiError(error, 412) || attempt === TRIES) throw error;
      }
    }
  }

  private async ring({ record }: ReadTenant, current: TenantKey): Promise<TenantKey[]> {
    const lives = await this.lives.of(record.tenant_id);
    const before = await currentKey(record);
    const recorded = record.public_keys ?? [];
    const all =
      before && !recorded.some((k) => k.kid === before.kid) ? [before, ...recorded] : recorded;
    return keyRing(current, all, lives);
  }
}

async function currentKey({ public_key }: RegisteredTenant): Promise<TenantKey | undefined> {
  return public_key ? { kid: await keyId(public_key), public_key } : undefined;
}

const sameKeys = (keys: readonly TenantKey[], { public_key, public_keys = [] }: RegisteredTenant) =>
  keys[0]?.public_key.trim() === public_key?.trim() &&
  JSON.stringify(keys.map(essence)) === JSON.stringify(public_keys.map(essence));

const essence = ({ kid, until }: TenantKey) => [kid, until ?? null];
