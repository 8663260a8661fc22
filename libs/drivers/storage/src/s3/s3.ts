import type { StorageType } from '../store';

/** Objects of a bucket; keys have no leading slash. Its data is not moved by this library yet. */
export const s3: StorageType = {
  type: 'S3',
  authnMethods: ['ACCESS_KEY'],
  rootDir: 'prefix',
  credentialCheck: 's3',
  capabilities: new Set(),
  source: false,
  destination: false,
};
