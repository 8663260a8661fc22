import { createHash } from 'node:crypto';
import type { HostPlace } from './host-errors';

export type HostAuth = { privateKey: string; passphrase?: string } | { password: string };

/** Everything needed to open a connection. */
export interface HostLogin extends HostPlace {
  auth: HostAuth;
  /** Pinned fingerprints (`SHA256:…`). Empty or absent: any key is taken and told to `onHostKey`. */
  hostKeys?: string[];
  /** Told the key of an unpinned host after a successful login; throwing refuses the connection. */
  onHostKey?: (fingerprint: string) => void | Promise<void>;
}

/** Same key, same connections: host, port, login and a hash of the credential. */
export function laneKey(login: HostLogin): string {
  const auth = createHash('sha256').update(JSON.stringify(login.auth)).digest('base64');
  return `${login.user}@${login.host}:${login.port} ${auth}`;
}

/** Fingerprint as OpenSSH prints it. */
export function fingerprintOf(publicKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`;
}

export function isPinned(login: HostLogin, fingerprint: string): boolean {
  return !login.hostKeys?.length || login.hostKeys.includes(fingerprint);
}
