import { globus } from './globus/globus';
import { irods } from './irods/irods';
import { linux } from './linux/linux';
import { s3 } from './s3/s3';
import { StorageError } from './storage-error';
import type { Capability, StorageType, Store, StoreAddress, StoreContext } from './store';

/** Every type of store the platform knows. A new one is a folder and a line here. */
const known = { LINUX: linux, S3: s3, IRODS: irods, GLOBUS: globus } as const;

export type StorageTypeName = keyof typeof known;
export const storageTypes: Readonly<Record<string, StorageType>> = known;
export const STORAGE_TYPES = Object.keys(known) as StorageTypeName[];

/** Connects to a store; an unknown type is `unsupported`. Nothing is opened until it is used. */
export function connectStore(type: string, address: StoreAddress, context: StoreContext): Store {
  const found = storageTypes[type];
  if (!found?.connect) {
    throw new StorageError(
      'unsupported',
      address.systemId,
      `systems of type ${type} hold no files here`,
    );
  }
  return found.connect(address, context);
}

/** Refuses what a type of store cannot do, naming both. */
export function requireCapability(type: string, operation: Capability, systemId: string): void {
  if (!storageTypes[type]?.capabilities.has(operation)) {
    throw new StorageError(
      'unsupported',
      systemId,
      `systems of type ${type} do not support ${operation}`,
    );
  }
}
