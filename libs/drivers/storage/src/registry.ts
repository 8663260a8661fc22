import { linux } from './linux/linux';
import { StorageError } from './storage-error';
import type { Capability, StorageType, Store, StoreAddress, StoreContext } from './store';

/** Every type of store the platform knows. A new one is a folder and a line here. */
export const storageTypes: Readonly<Record<string, StorageType>> = { LINUX: linux };

/** Connects to a store; an unknown type is `unsupported`. Nothing is opened until it is used. */
export function connectStore(type: string, address: StoreAddress, context: StoreContext): Store {
  const found = storageTypes[type];
  if (!found) {
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
