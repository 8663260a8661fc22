import { Injectable } from '@nestjs/common';
import { SecurityClient, type SecretRef } from '@libs/security-client';
import { METHODS, secretOf, type AuthnMethod, type StoredCredential } from '../domain/credential';

export interface VaultPlace {
  tenant: string;
  systemId: string;
  user: string;
  isStatic: boolean;
}

/** The secrets of credentials, which lie in the security kernel only. */
@Injectable()
export class CredentialVault {
  constructor(private readonly security: SecurityClient) {}

  async write(
    place: VaultPlace,
    credential: StoredCredential,
    methods: AuthnMethod[],
  ): Promise<void> {
    for (const method of methods) {
      await this.security.writeSecret(refOf(place, method), secretOf(credential, method));
    }
  }

  async read(place: VaultPlace, method: AuthnMethod): Promise<StoredCredential | undefined> {
    return this.security.readSecret(refOf(place, method));
  }

  async destroy(place: VaultPlace, methods: AuthnMethod[]): Promise<void> {
    for (const method of methods) await this.security.destroySecret(refOf(place, method));
  }
}

/** Static logins and platform users are two namespaces, so they are two folders. */
function refOf({ tenant, systemId, user, isStatic }: VaultPlace, method: AuthnMethod): SecretRef {
  const name = `${isStatic ? 'static' : 'dynamic'}+S1`;
  const keys = { sysid: systemId, sysuser: user, keytype: METHODS[method].keytype };
  return { type: 'system', name, tenant, user, keys };
}
