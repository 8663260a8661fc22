import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database } from '@libs/database';
import { BadInput, NotFound } from '@libs/envelope';
import { storageTypes } from '@libs/storage';
import { CredentialVault, type VaultPlace } from '../clients/credential-vault';
import { SystemAccess } from '../clients/system-access';
import {
  authnMethodOf,
  masked,
  methodsIn,
  type AuthnMethod,
  type StoredCredential,
} from '../domain/credential';
import { isDynamic, loginFor } from '../domain/effective-user';
import { CredInfoStore, type CredInfo, type CredOwner } from '../store/cred-info.store';
import { HistoryStore } from '../store/history.store';
import { KernelNotesStore } from '../store/kernel-notes.store';
import { addressOfRow, type SystemRow } from '../store/system-row';
import { SystemsStore } from '../store/systems.store';
import { KernelAgreement } from './kernel-agreement';
import { ReadSystems } from './read-systems';
import { assertUsable, TryCredential } from './try-credential';

export interface Registration {
  credential: StoredCredential;
  skipCheck: boolean;
  /** Its line in the history. */
  operation: 'setCred' | 'setAccessRefreshTokens';
}

/** Credentials of users on systems: registered after a real login, replaced method by method, never shown. */
@Injectable()
export class Credentials {
  constructor(
    private readonly database: Database,
    private readonly systems: SystemsStore,
    private readonly credInfo: CredInfoStore,
    private readonly history: HistoryStore,
    private readonly notes: KernelNotesStore,
    private readonly agreement: KernelAgreement,
    private readonly access: SystemAccess,
    private readonly vault: CredentialVault,
    private readonly trial: TryCredential,
    private readonly read: ReadSystems,
  ) {}

  /** Tries it (unless told not to), then keeps it; the caller must be allowed to (`manageable`). */
  async store(
    caller: Caller,
    row: SystemRow,
    userName: string,
    { credential, skipCheck, operation }: Registration,
  ): Promise<void> {
    const owner = ownerOf(row, userName);
    const known = await this.credInfo.find(owner);
    const { loginUser, ...secrets } = credential;
    assertUsable(secrets, skipCheck);
    if (!skipCheck) await this.tryAll(row, userName, credential, known);
    const methods = methodsIn(secrets);
    const mapping = loginUser === userName ? null : loginUser;
    const address = addressOfRow(row);
    const outdated = known && methods.length && known.address !== address ? known.methods : [];
    const touched = [...new Set([...methods, ...outdated])];
    const note = await this.notes.write({ ...systemOf(row), credential: owner, methods: touched });
    const kept = this.database.transaction(async (tx) => {
      await this.notes.lockSystem(tx, note);
      await this.vault.write(placeOf(row, owner), secrets, methods);
      await this.vault.destroy(
        placeOf(row, owner),
        outdated.filter((method) => !methods.includes(method)),
      );
      await this.credInfo.add(tx, owner, { methods, address, loginUser: mapping });
      await this.history.add(tx, row.seqId, caller, operation, {
        System: row.id,
        TargetUser: userName,
        skipCredentialCheck: skipCheck,
        ...masked(credential),
      });
      await this.notes.remove(tx, note);
    });
    await kept.catch(async (error: unknown) => {
      await this.agreement.settle(note).catch(() => undefined);
      throw error;
    });
  }

  /** All methods and the mapping; fine when there is nothing. */
  async remove(caller: Caller, id: string, userName: string): Promise<void> {
    const row = await this.manageable(caller, id, userName);
    const owner = ownerOf(row, userName);
    const info = await this.credInfo.find(owner);
    if (!info) return;
    const note = await this.database.transaction(async (tx) => {
      await this.credInfo.remove(tx, owner);
      const description = { System: id, TargetUser: userName };
      await this.history.add(tx, row.seqId, caller, 'removeCred', description);
      const { methods } = info;
      return this.notes.write({ ...systemOf(row), credential: owner, methods }, tx);
    });
    await this.agreement.settle(note);
  }

  /** Tries the stored secret for real. */
  async check(caller: Caller, id: string, userName: string, asked?: string): Promise<void> {
    const row = await this.manageable(caller, id, userName);
    if (!storageTypes[row.systemType]?.credentialCheck) {
      throw new BadInput(
        'SYSAPI_CRED_NOT_SUPPORTED',
        `Credentials of ${row.systemType} systems can't be checked: not supported.`,
      );
    }
    const method = authnMethodOf(asked ?? row.attributes.defaultAuthnMethod);
    const owner = ownerOf(row, userName);
    const { secret, info } = await this.stored(row, owner, method);
    const moved = info.address !== addressOfRow(row);
    if (moved) await this.assertMayConfirm(caller, row, owner);
    await this.login(row, loginOf(row, userName, info.loginUser), secret, [method]);
    if (!moved) return;
    await this.database.transaction(async (tx) => {
      await this.credInfo.confirm(tx, owner, addressOfRow(row));
      const description = { System: id, TargetUser: userName, host: row.host };
      await this.history.add(tx, row.seqId, caller, 'checkCred', description);
    });
  }

  /** For services that work on hosts; of a static system the user is the login. */
  async get(caller: Caller, id: string, userName: string, method?: string) {
    const row = await this.read.live(caller, id);
    const authnMethod = authnMethodOf(method ?? row.attributes.defaultAuthnMethod);
    const owner = ownerOf(row, userName);
    const { secret, info } = await this.stored(row, owner, authnMethod);
    if (info.address !== addressOfRow(row)) throw elsewhere(row, userName, info);
    return { authnMethod, ...secret, loginUser: loginOf(row, userName, info.loginUser) };
  }

  /** The system, for whoever may manage this user's credential on it: owner, tenant admin, and the user who may see it. */
  async manageable(caller: Caller, id: string, userName: string): Promise<SystemRow> {
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

  /** A stored secret goes to a host that it was not given for only at the word of whoever it belongs to. */
  private async assertMayConfirm(caller: Caller, row: SystemRow, owner: CredOwner): Promise<void> {
    if (!owner.isStatic && caller.user === owner.user) return;
    const what = `try the credential of "${owner.user}" at the new host of`;
    await this.access.assertOwnerOrAdmin(caller, row, what);
  }

  /** The secret of one method; 404 when there is none. */
  private async stored(row: SystemRow, owner: CredOwner, method: AuthnMethod) {
    const info = await this.credInfo.find(owner);
    const secret = info?.methods.includes(method)
      ? await this.vault.read(placeOf(row, owner), method)
      : undefined;
    if (!info || !secret) throw noCredential(row.id, owner.user, method);
    return { info, secret };
  }

  /** What comes along; a mapping that comes alone is tried with what is registered already. */
  private async tryAll(
    row: SystemRow,
    userName: string,
    credential: StoredCredential,
    known: CredInfo | undefined,
  ): Promise<void> {
    if (!storageTypes[row.systemType]?.credentialCheck) return;
    const user = loginOf(row, userName, credential.loginUser ?? known?.loginUser);
    const methods = methodsIn(credential);
    if (methods.length) return this.login(row, user, credential, methods);
    if (known?.methods.length && known.address !== addressOfRow(row))
      throw new BadInput('SYSAPI_CRED_OTHER_HOST', elsewhereText(row, userName, known));
    for (const method of known?.methods ?? []) {
      const secret = await this.vault.read(placeOf(row, ownerOf(row, userName)), method);
      if (secret) await this.login(row, user, secret, [method]);
    }
  }

  private async login(
    row: SystemRow,
    user: string,
    credential: StoredCredential,
    methods: AuthnMethod[],
  ): Promise<void> {
    const shown = await this.trial.onSystem(row, user, credential, methods);
    if (shown && !row.hostKeys.length) await this.systems.pin(row.seqId, shown);
  }
}

const systemOf = ({ tenant, id }: SystemRow) => ({ tenant, id, owner: null });

const ownerOf = ({ seqId, attributes }: SystemRow, user: string): CredOwner => ({
  seqId,
  user,
  isStatic: !isDynamic(attributes.effectiveUserId),
});

const placeOf = ({ tenant, id }: SystemRow, { user, isStatic }: CredOwner): VaultPlace => ({
  tenant,
  systemId: id,
  user,
  isStatic,
});

/** A static credential is named after the login itself, which may not be the system's yet. */
const loginOf = ({ attributes }: SystemRow, user: string, mapped: string | null | undefined) =>
  isDynamic(attributes.effectiveUserId) ? loginFor(attributes.effectiveUserId, user, mapped) : user;

const elsewhereText = ({ id, host }: SystemRow, user: string, { address }: CredInfo): string =>
  `The credential of "${user}" on system "${id}" was given for ${address.split(' ')[0]}; the system is now at ${host}. ` +
  'It is used there once it was checked or registered again.';

const elsewhere = (row: SystemRow, user: string, info: CredInfo): NotFound =>
  new NotFound('SYSAPI_CRED_OTHER_HOST', elsewhereText(row, user, info), user);

const noCredential = (id: string, user: string, method: string): NotFound =>
  new NotFound(
    'SYSAPI_CRED_NOT_FOUND',
    `User "${user}" has no ${method} credential on system "${id}".`,
    user,
  );
