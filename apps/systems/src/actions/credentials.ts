import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database } from '@libs/database';
import { BadInput, NotFound } from '@libs/envelope';
import { CredentialVault, type VaultPlace } from '../clients/credential-vault';
import { HostCheck } from '../clients/host-check';
import { SystemAccess } from '../clients/system-access';
import {
  authnMethodOf,
  halfPairs,
  masked,
  methodsIn,
  type AuthnMethod,
  type Credential,
} from '../domain/credential';
import { isDynamic, loginFor } from '../domain/effective-user';
import { CredInfoStore, type CredOwner } from '../store/cred-info.store';
import { HistoryStore } from '../store/history.store';
import type { SystemRow } from '../store/system-row';
import { SystemsStore } from '../store/systems.store';
import { ReadSystems } from './read-systems';

/** Credentials of users on systems: registered after a real login, replaced method by method, never shown. */
@Injectable()
export class Credentials {
  constructor(
    private readonly database: Database,
    private readonly systems: SystemsStore,
    private readonly credInfo: CredInfoStore,
    private readonly history: HistoryStore,
    private readonly access: SystemAccess,
    private readonly vault: CredentialVault,
    private readonly hosts: HostCheck,
    private readonly read: ReadSystems,
  ) {}

  async register(
    caller: Caller,
    id: string,
    userName: string,
    credential: Credential,
    skipCheck: boolean,
  ): Promise<void> {
    const row = await this.manageable(caller, id, userName);
    const isStatic = !isDynamic(row.attributes.effectiveUserId);
    const methods = this.methodsOf(row, credential, isStatic);
    const login = isStatic
      ? userName
      : (credential.loginUser ?? (await this.mapped(row, userName)) ?? userName);
    const checked = methods.filter((m) => m === 'PASSWORD' || m === 'PKI_KEYS');
    if (!skipCheck && row.systemType === 'LINUX') {
      for (const method of checked) await this.login(row, login, only(credential, method));
    }
    const loginUser = credential.loginUser === userName ? null : credential.loginUser;
    await this.database.transaction(async (tx) => {
      await this.credInfo.add(
        tx,
        { seqId: row.seqId, user: userName, isStatic },
        methods,
        loginUser,
      );
      await this.history.add(tx, row.seqId, caller, 'setCred', {
        TargetUser: userName,
        skipCredentialCheck: skipCheck,
        ...masked(credential),
      });
      await this.vault.write(placeOf(row, userName, isStatic), credential, methods);
    });
  }

  /** All methods and the mapping; fine when there is nothing. */
  async remove(caller: Caller, id: string, userName: string): Promise<void> {
    const row = await this.manageable(caller, id, userName);
    const owner = this.ownerOf(row, userName);
    const info = await this.credInfo.find(owner);
    if (!info) return;
    await this.vault.destroy(placeOf(row, userName, owner.isStatic), info.methods);
    await this.database.transaction(async (tx) => {
      await this.credInfo.remove(tx, owner);
      await this.history.add(tx, row.seqId, caller, 'removeCred', { TargetUser: userName });
    });
  }

  /** Tries the stored secret with a real login. */
  async check(caller: Caller, id: string, userName: string, asked?: string): Promise<void> {
    const row = await this.manageable(caller, id, userName);
    if (row.systemType !== 'LINUX') {
      throw new BadInput(
        'SYSAPI_CRED_NOT_SUPPORTED',
        `Credentials of ${row.systemType} systems can't be checked.`,
      );
    }
    const owner = this.ownerOf(row, userName);
    const method = authnMethodOf(asked ?? row.attributes.defaultAuthnMethod);
    const info = await this.credInfo.find(owner);
    const secret = info?.methods.includes(method)
      ? await this.vault.read(placeOf(row, userName, owner.isStatic), method)
      : undefined;
    if (!secret) throw none(id, userName, method);
    await this.login(
      row,
      loginFor(
        owner.isStatic ? userName : row.attributes.effectiveUserId,
        userName,
        info?.loginUser,
      ),
      secret,
    );
  }

  /** For services that work on hosts. */
  async get(caller: Caller, id: string, userName: string, method?: string) {
    const seen = await this.systems.find(caller.tenant, userName, id);
    if (!seen || seen.deleted) throw this.access.missing(caller.tenant, id);
    const found = await this.read.credential(seen, userName, method);
    if (!found) throw none(id, userName, method ?? seen.attributes.defaultAuthnMethod);
    return found;
  }

  private async manageable(caller: Caller, id: string, userName: string): Promise<SystemRow> {
    const row = await this.read.live(caller, id);
    const { user } = caller;
    if (user === row.owner) return row;
    if (user === userName) {
      await this.access.assertMayRead(caller, row);
      if (isDynamic(row.attributes.effectiveUserId) || userName === row.attributes.effectiveUserId)
        return row;
    }
    await this.access.assertOwnerOrAdmin(caller, row, `manage the credential of "${userName}" on`);
    return row;
  }

  private methodsOf(row: SystemRow, credential: Credential, isStatic: boolean): AuthnMethod[] {
    const violations = halfPairs(credential);
    if (credential.loginUser && isStatic) {
      violations.push(
        "SYSLIB_CRED_INVALID_LOGINUSER loginUser can't be set for a static effectiveUserId",
      );
    }
    const methods = methodsIn(credential);
    if (!methods.length && !violations.length)
      violations.push('SYSLIB_CRED_NO_METHOD the body has no credential');
    if (violations.length)
      throw new BadInput(
        'SYSLIB_CRED_INVALID',
        `the credential for system "${row.id}" is not valid`,
        violations,
      );
    return methods;
  }

  private async login(row: SystemRow, user: string, credential: Credential): Promise<void> {
    const address = {
      id: row.id,
      host: row.host,
      port: row.attributes.port,
      hostKeys: row.hostKeys,
    };
    const shown = await this.hosts.login(address, user, credential);
    if (shown && !row.hostKeys.length) await this.systems.pin(row.seqId, shown);
  }

  private async mapped(row: SystemRow, userName: string): Promise<string | undefined> {
    return (
      (await this.credInfo.find({ seqId: row.seqId, user: userName, isStatic: false }))
        ?.loginUser ?? undefined
    );
  }

  private ownerOf(row: SystemRow, userName: string): CredOwner {
    return {
      seqId: row.seqId,
      user: userName,
      isStatic: !isDynamic(row.attributes.effectiveUserId),
    };
  }
}

const placeOf = ({ tenant, id }: SystemRow, user: string, isStatic: boolean): VaultPlace => ({
  tenant,
  systemId: id,
  user,
  isStatic,
});

const only = (credential: Credential, method: AuthnMethod): Credential =>
  method === 'PKI_KEYS' ? { privateKey: credential.privateKey } : { password: credential.password };

const none = (id: string, user: string, method: string): NotFound =>
  new NotFound(
    'SYSAPI_CRED_NOT_FOUND',
    `User "${user}" has no ${method} credential on system "${id}".`,
    user,
  );
