import type { Capability, StorageType } from '../store';
import { CAPABILITIES } from '../store';
import { LinuxStore } from './linux-store';

export const LINUX_CAPABILITIES: ReadonlySet<Capability> = new Set(CAPABILITIES);

/** Files of a POSIX host, by SFTP and, where the host does it better, by its own commands. */
export const linux: StorageType = {
  type: 'LINUX',
  authnMethods: ['PASSWORD', 'PKI_KEYS', 'TMS_KEYS'],
  rootDir: 'absolute',
  credentialCheck: 'ssh',
  capabilities: LINUX_CAPABILITIES,
  source: true,
  destination: true,
  connect: (address, { pool }) => new LinuxStore(address, pool, LINUX_CAPABILITIES),
};
