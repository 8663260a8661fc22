import type { StorageType } from '../store';

/** Collections of an iRODS zone. Its data is not moved by this library yet. */
export const irods: StorageType = {
  type: 'IRODS',
  authnMethods: ['PASSWORD'],
  rootDir: 'absolute',
  credentialCheck: null,
  capabilities: new Set(),
  source: false,
  destination: false,
};
