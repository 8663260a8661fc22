import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import { SystemAccess } from '../clients/system-access';
import { GlobusAuth } from '../clients/globus-auth';
import { TmsClient } from '../clients/tms-client';
import { halfPairs, methodsIn, type Credential } from '../domain/credential';
import { isDynamic } from '../domain/effective-user';
import type { SystemRow } from '../store/system-row';
import { Credentials } from './credentials';
import { ReadSystems } from './read-systems';

/** The three ways to a credential: brought along, made by the Trust Manager, granted by Globus. */
@Injectable()
export class RegisterCredential {
  constructor(
    private readonly credentials: Credentials,
    private readonly read: ReadSystems,
    private readonly access: SystemAccess,
    private readonly tms: TmsClient,
    private readonly globus: GlobusAuth,
  ) {}

  async register(
    caller: Caller,
    id: string,
    userName: string,
    given: Credential,
    { createTmsKeys, skipCheck }: { createTmsKeys: boolean; skipCheck: boolean },
  ): Promise<void> {
    const row = await this.credentials.manageable(caller, id, userName);
    assertWellFormed(row, given, createTmsKeys);
    if (createTmsKeys) this.tms.assertServes(row.tenant);
    const made = createTmsKeys ? await this.tms.newKeys(userName, row.host) : {};
    const credential = { ...given, ...made };
    await this.credentials.store(caller, row, userName, {
      credential,
      skipCheck,
      operation: 'setCred',
    });
  }

  /** Where a user signs in with Globus for this system. */
  async globusSignIn(caller: Caller, id: string, dataAccess: boolean) {
    const row = await this.read.live(caller, id);
    await this.access.assertMayRead(caller, row);
    assertGlobus(row);
    return { ...this.globus.signIn(row.host, dataAccess), systemId: id };
  }

  /** Exchanges what the user brought back from Globus for tokens, and keeps them. */
  async globusTokens(
    caller: Caller,
    id: string,
    userName: string,
    { authCode, sessionId }: { authCode: string; sessionId: string },
  ): Promise<void> {
    const row = await this.credentials.manageable(caller, id, userName);
    assertGlobus(row);
    const credential = await this.globus.tokens(authCode, sessionId);
    await this.credentials.store(caller, row, userName, {
      credential,
      skipCheck: true,
      operation: 'setAccessRefreshTokens',
    });
  }
}

function assertGlobus({ id, systemType }: SystemRow): void {
  if (systemType === 'GLOBUS') return;
  throw new BadInput(
    'SYSAPI_GLOBUS_SYSTYPE',
    `Signing in with Globus is for systems of type GLOBUS; "${id}" is ${systemType}.`,
  );
}

function assertWellFormed(row: SystemRow, credential: Credential, createTmsKeys: boolean): void {
  const { id, systemType } = row;
  const { effectiveUserId, defaultAuthnMethod } = row.attributes;
  const dynamic = isDynamic(effectiveUserId);
  const { loginUser } = credential;
  const broken = halfPairs(credential);
  if (loginUser && !dynamic)
    broken.push(
      "SYSLIB_CRED_INVALID_LOGINUSER loginUser can't be set for a static effectiveUserId",
    );
  if (createTmsKeys) {
    if (systemType !== 'LINUX')
      broken.push(`SYSLIB_CRED_TMS_SYSTYPE createTmsKeys is for LINUX systems, not ${systemType}`);
    if (!dynamic)
      broken.push('SYSLIB_CRED_TMS_EFFUSR createTmsKeys needs a dynamic effectiveUserId');
    if (loginUser) broken.push("SYSLIB_CRED_TMS_LOGINUSER createTmsKeys can't come with loginUser");
  } else if (defaultAuthnMethod === 'TMS_KEYS') {
    broken.push(
      `SYSLIB_CRED_TMS_NOT_CREATED defaultAuthnMethod of system "${id}" is TMS_KEYS: register with createTmsKeys=true`,
    );
  }
  if (!broken.length && !createTmsKeys && !loginUser && !methodsIn(credential).length)
    broken.push('SYSLIB_CRED_NO_METHOD the body has no credential');
  if (broken.length)
    throw new BadInput(
      'SYSLIB_CRED_INVALID',
      `the credential for system "${id}" is not valid`,
      broken,
    );
}
