import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database, Idempotency } from '@libs/database';
import { BadInput, Conflict, Forbidden, reply, type Reply } from '@libs/envelope';
import { CredentialVault } from '../clients/credential-vault';
import { HostCheck } from '../clients/host-check';
import { SystemAccess } from '../clients/system-access';
import { masked, methodsIn, type AuthnMethod, type Credential } from '../domain/credential';
import { isDynamic } from '../domain/effective-user';
import { RESERVED_IDS } from '../domain/names';
import { hostEvalOf, normalised, withVariables } from '../domain/root-dir';
import { assertRules } from '../domain/rules';
import type { NewSystem, SystemAttributes } from '../domain/system';
import { CredInfoStore } from '../store/cred-info.store';
import { HistoryStore } from '../store/history.store';
import { SystemsStore } from '../store/systems.store';
import { DtnCheck } from './dtn-check';

type Owned = SystemAttributes & { owner: string };

/** A new system. Whatever fails, nothing half-made remains. */
@Injectable()
export class CreateSystem {
  constructor(
    private readonly database: Database,
    private readonly idempotency: Idempotency,
    private readonly systems: SystemsStore,
    private readonly credInfo: CredInfoStore,
    private readonly history: HistoryStore,
    private readonly access: SystemAccess,
    private readonly vault: CredentialVault,
    private readonly hosts: HostCheck,
    private readonly dtn: DtnCheck,
  ) {}

  async create(
    caller: Caller,
    body: NewSystem,
    url: string,
    skipCheck: boolean,
  ): Promise<Reply<{ url: string }>> {
    const { authnCredential: credential, ...given } = body;
    const { tenant } = caller;
    if (RESERVED_IDS.includes(given.id.toLowerCase())) {
      throw new Conflict(
        'SYSLIB_CREATE_RESERVED',
        `The id "${given.id}" is kept for the service itself.`,
      );
    }
    if (await this.systems.find(tenant, caller.user, given.id)) throw taken(given.id);
    const system = completed({ ...given, owner: await this.ownerOf(caller, body) }, caller);
    assertRules(system, credential);
    await this.dtn.assertFits(caller, system);
    const hostKeys = credential ? await this.tryCredential(system, credential, skipCheck) : [];
    system.rootDir = await this.rootDirOf(system, credential, hostKeys);
    return this.store(caller, system, credential, hostKeys, `${url}/${system.id}`);
  }

  private async store(
    caller: Caller,
    system: Owned,
    credential: Credential | undefined,
    hostKeys: string[],
    url: string,
  ): Promise<Reply<{ url: string }>> {
    const { tenant } = caller;
    const { id, owner } = system;
    const undo: (() => Promise<unknown>)[] = [];
    const made = this.database.transaction(async (tx) => {
      const seqId = await this.systems.insert(tx, tenant, system, hostKeys);
      if (!seqId) throw taken(id);
      if (credential) {
        const user = system.effectiveUserId;
        const methods = methodsIn(credential);
        await this.credInfo.add(tx, { seqId, user, isStatic: true }, methods, undefined);
        const place = { tenant, systemId: id, user, isStatic: true };
        undo.push(() => this.vault.destroy(place, methods));
        await this.vault.write(place, credential, methods);
      }
      const description = {
        ...system,
        ...(credential ? { authnCredential: masked(credential) } : {}),
      };
      await this.history.add(tx, seqId, caller, 'create', description);
      undo.push(() => this.access.revokeFiles(tenant, owner, id));
      await this.access.grantFiles(tenant, owner, id);
      const text = `system "${id}" created by ${caller.user}@${tenant}`;
      return this.idempotency.answer(tx, reply('SYSAPI_CREATED', text, { url }, { status: 201 }));
    });
    // The row goes by itself when something fails; what the security kernel was told does not.
    return made.catch(async (error: unknown) => {
      for (const step of undo) await step().catch(() => undefined);
      throw error;
    });
  }

  private async ownerOf(caller: Caller, { owner, id }: NewSystem): Promise<string> {
    if (!owner || owner === '${apiUserId}' || owner === caller.user) return caller.user;
    if (await this.access.isAdmin(caller)) return owner;
    throw new Forbidden(
      'SYSLIB_UNAUTH',
      `${caller.user}@${caller.tenant} may not create system "${id}" for owner "${owner}": only tenant administrators may.`,
    );
  }

  /** A real login, whose host key is then the pinned one. */
  private async tryCredential(
    system: Owned,
    credential: Credential,
    skip: boolean,
  ): Promise<string[]> {
    const method = usable(system, credential);
    if (skip || system.systemType !== 'LINUX' || !method) return [];
    const key = await this.hosts.login(
      { ...system, hostKeys: [] },
      system.effectiveUserId,
      credential,
    );
    return key ? [key] : [];
  }

  private async rootDirOf(
    system: Owned,
    credential: Credential | undefined,
    hostKeys: string[],
  ): Promise<string> {
    const macro = hostEvalOf(system.rootDir);
    if (!macro || !credential) {
      return system.systemType === 'S3' || system.rootDir === ''
        ? system.rootDir
        : normalised(system.rootDir);
    }
    const found = await this.hosts.variable(
      { ...system, hostKeys },
      system.effectiveUserId,
      credential,
      macro.name,
    );
    const value = found || macro.fallback;
    if (!value) {
      throw new BadInput(
        'SYSLIB_HOST_EVAL_RESOLVE_EMPTY',
        `rootDir: variable ${macro.name} is not set for ${system.effectiveUserId} on host ${system.host}, and there is no default.`,
      );
    }
    return normalised(`/${value}${macro.tail}`);
  }
}

function taken(id: string): Conflict {
  return new Conflict(
    'SYSLIB_SYS_EXISTS',
    `There is a system "${id}" already (deleted systems keep their id).`,
  );
}

/** The default method must be among what the credential brings. */
function usable(system: Owned, credential: Credential): AuthnMethod | undefined {
  const methods = methodsIn(credential);
  if (methods.includes(system.defaultAuthnMethod)) return system.defaultAuthnMethod;
  throw new BadInput(
    'SYSLIB_CRED_NOT_FOUND',
    `authnCredential has nothing for defaultAuthnMethod ${system.defaultAuthnMethod} of system "${system.id}".`,
  );
}

/** Variables put in, and what follows from other attributes filled in. */
function completed(system: Owned, caller: Caller): Owned {
  const { owner } = system;
  const values = { apiUserId: caller.user, owner, tenant: caller.tenant };
  const resolved = <T extends string | undefined>(text: T): T =>
    text === undefined ? text : (withVariables(text, values) as T);
  const queues = system.batchLogicalQueues;
  return {
    ...system,
    effectiveUserId: isDynamic(system.effectiveUserId)
      ? system.effectiveUserId
      : resolved(system.effectiveUserId),
    rootDir: resolved(system.rootDir),
    bucketName: resolved(system.bucketName),
    jobWorkingDir: resolved(system.jobWorkingDir),
    batchDefaultLogicalQueue:
      system.batchDefaultLogicalQueue ?? (queues.length === 1 ? queues[0]!.name : undefined),
  };
}
