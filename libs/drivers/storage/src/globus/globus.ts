import type { StorageType } from '../store';

/** A Globus endpoint or collection. Its data is not moved by this library yet. */
export const globus: StorageType = {
  type: 'GLOBUS',
  authnMethods: ['TOKEN'],
  rootDir: 'optional',
  credentialCheck: null,
  capabilities: new Set(),
  source: false,
  destination: false,
};
