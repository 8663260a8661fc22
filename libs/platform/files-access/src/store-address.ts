import { Forbidden } from '@libs/envelope';
import type { Actor, SystemRecord } from './system-record';

/** What the storage drivers take to reach a store. */
export interface SystemAddress {
  systemId: string;
  host: string;
  port: number;
  rootDir: string;
  user: string;
  auth: { password: string } | { privateKey: string };
  hostKeys: string[];
  jailed: boolean;
}

/** A system's definition as an address; 403 when nobody registered a credential for the one who acts. */
export function storeAddress(actor: Actor, system: SystemRecord, jailed: boolean): SystemAddress {
  const credential = system.authnCredential;
  const user = credential?.loginUser || system.effectiveUserId;
  const privateKey = credential?.privateKey || credential?.tmsPrivateKey;
  const auth = privateKey
    ? { privateKey }
    : credential?.password
      ? { password: credential.password }
      : undefined;
  if (!auth) {
    throw new Forbidden(
      'FILES_CREDENTIAL_MISSING',
      `No usable credential is registered on system ${system.id} of tenant ${actor.tenant} for login user ${user}`,
    );
  }
  return {
    systemId: system.id,
    host: system.host,
    port: system.port && system.port > 0 ? system.port : 22,
    rootDir: system.rootDir || '/',
    user,
    auth,
    hostKeys: system.hostKeys ?? [],
    jailed,
  };
}
