import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Conflict, type Reply } from '@libs/envelope';
import { completed } from '../domain/completed';
import { RESERVED_IDS } from '../domain/names';
import { readBody } from '../domain/read-body';
import { withVariables } from '../domain/root-dir';
import { brokenRules, refuseBroken } from '../domain/rules';
import { NewSystem } from '../domain/system';
import { RelatedSystems } from './related-systems';
import { RootDirs } from './root-dirs';
import { StoreSystem, type OwnedSystem } from './store-system';
import { TryCredential } from './try-credential';

/** A new system, after all its rules are looked at and its credential was tried. */
@Injectable()
export class CreateSystem {
  constructor(
    private readonly systems: StoreSystem,
    private readonly tryCredential: TryCredential,
    private readonly rootDirs: RootDirs,
    private readonly related: RelatedSystems,
  ) {}

  async create(
    caller: Caller,
    body: unknown,
    url: string,
    skipCheck: boolean,
  ): Promise<Reply<{ url: string }>> {
    const { value, violations, unclear } = readBody(NewSystem, body);
    const { authnCredential: credential, ...given } = value;
    const system = resolved({ ...given, owner: ownerIn(given, caller) }, caller);
    if (!unclear.has('id')) await this.systems.assertFree(caller, system.id);
    refuseBroken(system.id ?? '', [
      ...violations,
      ...brokenRules(system, credential, unclear),
      ...(await this.related.broken(caller, system, unclear)),
    ]);
    await this.systems.assertMayOwn(caller, system);
    assertNotReserved(system.id);
    const hostKeys = credential
      ? await this.tryCredential.asNew(system, credential, skipCheck)
      : [];
    const asked = system.rootDir;
    system.rootDir = await this.rootDirs.resolve(system, credential, hostKeys);
    if (system.rootDir !== asked)
      refuseBroken(system.id, await this.related.broken(caller, system));
    return this.systems.store(caller, {
      system,
      hostKeys,
      credential,
      url: `${url}/${system.id}`,
    });
  }
}

export function assertNotReserved(id: string): void {
  if (RESERVED_IDS.includes(id.toLowerCase()))
    throw new Conflict('SYSLIB_CREATE_RESERVED', `The id "${id}" is kept for the service itself.`);
}

/** A blank owner is the caller. */
export const ownerIn = ({ owner }: { owner?: string }, caller: Caller): string =>
  !owner || owner === '${apiUserId}' ? caller.user : owner;

/** The login as it is stored: `${owner}` is resolved once, `${apiUserId}` each time. */
export const loginIn = (effectiveUserId: string, owner: string): string =>
  effectiveUserId === '${owner}' ? owner : effectiveUserId;

/** Variables put in, and what follows from other attributes filled in. */
function resolved(system: OwnedSystem, caller: Caller): OwnedSystem {
  const { owner } = system;
  const values = { apiUserId: caller.user, owner, tenant: caller.tenant };
  const withValues = <T extends string | undefined>(text: T): T =>
    text === undefined ? text : (withVariables(text, values) as T);
  return completed({
    ...system,
    effectiveUserId: loginIn(system.effectiveUserId, owner),
    rootDir: withValues(system.rootDir),
    bucketName: withValues(system.bucketName),
    jobWorkingDir: withValues(system.jobWorkingDir),
  });
}
