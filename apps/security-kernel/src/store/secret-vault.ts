import type { EntityManager } from 'typeorm';

/** Older versions than this many vanish. */
export const MAX_VERSIONS = 10;

export interface VersionInfo {
  version: number;
  created_time: Date;
  deletion_time: Date | null;
  destroyed: boolean;
}

export interface SecretInfo {
  created_time: Date;
  updated_time: Date;
  current_version: number;
  oldest_version: number;
  max_versions: number;
  versions: VersionInfo[];
}

export interface FoundSecret {
  data: Record<string, string>;
  info: VersionInfo;
}

export type Mark = 'delete' | 'undelete' | 'destroy';

/**
 * Where versioned secrets lie, by tenant and path. Writing happens in the transaction of the change's record; a vault
 * that knows nothing of it does its part as the last step before the commit.
 */
export abstract class SecretVault {
  abstract write(
    tx: EntityManager,
    tenant: string,
    path: string,
    data: Record<string, string>,
  ): Promise<VersionInfo>;

  /** The secret of a version, 0 for the latest; undefined when it is missing, deleted or destroyed. */
  abstract read(tenant: string, path: string, version?: number): Promise<FoundSecret | undefined>;

  abstract info(tenant: string, path: string): Promise<SecretInfo | undefined>;

  /** Names right below a folder (which ends with `/`), in order; folders among them end with `/`. */
  abstract list(tenant: string, folder: string): Promise<string[]>;

  /** Marks versions: none for all, 0 for the latest. Answers those that exist and are not destroyed, in order. */
  abstract mark(
    tx: EntityManager,
    tenant: string,
    path: string,
    what: Mark,
    versions: number[],
  ): Promise<number[]>;

  /** Drops a secret with all versions; a folder takes everything below it along. False: there was none. */
  abstract erase(tx: EntityManager, tenant: string, path: string): Promise<boolean>;

  /** Throws when the secrets that are kept could not be read now. */
  abstract check(): Promise<void>;
}
