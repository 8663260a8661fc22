import { Injectable } from '@nestjs/common';
import { BadInput } from '@libs/envelope';
import { storageTypes } from '@libs/storage';
import { HostCheck } from '../clients/host-check';
import { StoreCheck } from '../clients/store-check';
import {
  keyProblem,
  methodsIn,
  onlyOf,
  type AuthnMethod,
  type Credential,
  type StoredCredential,
} from '../domain/credential';
import type { SystemAttributes } from '../domain/system';
import type { SystemRow } from '../store/system-row';

type Place = Pick<SystemAttributes, 'id' | 'systemType' | 'host' | 'port' | 'bucketName'> & {
  rootDir: string;
  hostKeys: string[];
};

/** Credentials are tried where they will be used, before they are kept. Every failure is a 400 (ruling 56). */
@Injectable()
export class TryCredential {
  constructor(
    private readonly hosts: HostCheck,
    private readonly stores: StoreCheck,
  ) {}

  /** With a system that is being created; answers the key that its host showed, if it was asked. */
  async asNew(system: SystemAttributes, credential: Credential, skip: boolean): Promise<string[]> {
    assertUsable(credential, skip);
    const { id, defaultAuthnMethod: usual, effectiveUserId } = system;
    if (skip || !storageTypes[system.systemType]?.credentialCheck) return [];
    const methods = methodsIn(credential);
    if (!methods.includes(usual))
      throw new BadInput(
        'SYSAPI_CRED_NOT_FOUND',
        `authnCredential has nothing for defaultAuthnMethod ${usual} of system "${id}".`,
      );
    const place = { ...system, hostKeys: [] };
    const key = await this.each(place, effectiveUserId, credential, methods);
    return key ? [key] : [];
  }

  /** On a system that is there; answers the key that its host showed. */
  async onSystem(
    row: SystemRow,
    user: string,
    credential: StoredCredential,
    methods: AuthnMethod[],
  ): Promise<string | undefined> {
    assertUsable(credential, false);
    const { id, systemType, host, hostKeys, attributes } = row;
    const { port, bucketName, rootDir } = attributes;
    const place = { id, systemType, host, hostKeys, port, bucketName, rootDir };
    return this.each(place, user, credential, methods);
  }

  private async each(
    place: Place,
    user: string,
    credential: StoredCredential,
    methods: AuthnMethod[],
  ): Promise<string | undefined> {
    const { authnMethods, credentialCheck } = storageTypes[place.systemType]!;
    const strange = methods.find((method) => !authnMethods.includes(method));
    if (strange)
      throw new BadInput(
        'SYSAPI_CRED_NOT_SUPPORTED',
        `System "${place.id}" is of type ${place.systemType}, which knows ${authnMethods.join(', ')}, not ${strange}.`,
      );
    let key: string | undefined;
    for (const method of methods) {
      const secret = onlyOf(credential, method);
      if (credentialCheck === 's3') await this.stores.tryAccessKey(place, secret);
      else if (credentialCheck === 'ssh') key = await this.hosts.login(place, user, secret);
    }
    return key;
  }
}

/** Keys with a passphrase are never kept, also when nobody wants them tried. */
export function assertUsable(credential: Credential, unseen: boolean): void {
  const problem = keyProblem(credential, unseen);
  if (problem) throw new BadInput('SYSAPI_CRED_VALID_FAIL', `privateKey: ${problem}.`);
}
