import { Injectable } from '@nestjs/common';
import { PermissionIndex } from '@libs/security-client';
import { LRUCache } from 'lru-cache';
import { GrantsStore } from './grants.store';

/** What a user holds, ready for questions. */
export interface Held {
  roles: ReadonlySet<string>;
  permissions: PermissionIndex;
}

interface Kept {
  version: string;
  held: Promise<Held>;
  size: number;
}

/** Roles and permissions kept in memory, all users together. */
const KEPT = 200_000;

/**
 * Remembers what users hold for as long as the database says that nothing of it has changed: each question asks it for
 * one number, so a change counts at once in every process. Who holds 10,000 permissions is answered as fast as who
 * holds none.
 */
@Injectable()
export class HeldByUsers {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: KEPT,
    sizeCalculation: ({ size }) => size,
  });

  constructor(private readonly grants: GrantsStore) {}

  async of(tenant: string, user: string): Promise<Held> {
    // First the number, then what it counts: what is read may be newer than it says, never older.
    const version = await this.grants.version(tenant, user);
    const key = JSON.stringify([tenant, user]);
    const known = this.kept.get(key);
    if (known?.version === version) return known.held;
    const kept: Kept = { version, size: 1, held: this.read(tenant, user, key, version) };
    this.kept.set(key, kept);
    kept.held.catch(() => this.kept.peek(key) === kept && this.kept.delete(key));
    return kept.held;
  }

  private async read(tenant: string, user: string, key: string, version: string): Promise<Held> {
    const [roles, permissions] = await Promise.all([
      this.grants.roleNames(tenant, user),
      this.grants.permissions(tenant, user),
    ]);
    const held = { roles: new Set(roles), permissions: new PermissionIndex(permissions) };
    // Now its size is known.
    if (this.kept.peek(key)?.version === version)
      this.kept.set(key, {
        version,
        held: Promise.resolve(held),
        size: 1 + roles.length + permissions.length,
      });
    return held;
  }
}
