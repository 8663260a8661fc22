import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database } from '@libs/database';
import { BadInput, NotFound, type Reply } from '@libs/envelope';
import { SystemAccess } from '../clients/system-access';
import { ID } from '../domain/names';
import { hasHostEval, normalised, withVariables } from '../domain/root-dir';
import { readBody } from '../domain/read-body';
import { afterBody, brokenRules, refuseBroken } from '../domain/rules';
import { NewChildSystem } from '../domain/system';
import { ChildSystemsStore, type ChildSystem } from '../store/child-systems.store';
import { HistoryStore } from '../store/history.store';
import type { SystemRow } from '../store/system-row';
import { assertNotReserved, loginIn, ownerIn } from './create-system';
import { ReadSystems } from './read-systems';
import { RelatedSystems } from './related-systems';
import { attributesOf } from './shown';
import { StoreSystem, type OwnedSystem } from './store-system';

/** Systems that share most of their definition with a parent, for people who need a login or a root of their own. */
@Injectable()
export class ChildSystems {
  constructor(
    private readonly database: Database,
    private readonly children: ChildSystemsStore,
    private readonly history: HistoryStore,
    private readonly access: SystemAccess,
    private readonly read: ReadSystems,
    private readonly systems: StoreSystem,
    private readonly related: RelatedSystems,
  ) {}

  /** No credential comes along, so none is tried. */
  async create(
    caller: Caller,
    parentId: string,
    body: unknown,
    url: string,
  ): Promise<Reply<{ url: string }>> {
    const { value, violations, unclear } = readBody(NewChildSystem, body);
    const looked = this.read.readable(caller, parentId);
    const parent = await afterBody(value.id ?? '', violations, looked);
    assertMayHaveChildren(parent);
    const system = childOf(parent, value, caller);
    const { id } = system;
    if (!unclear.has('id')) await this.systems.assertFree(caller, id);
    refuseBroken(id, [
      ...violations,
      ...idProblem(value.id, id),
      ...brokenRules(system, undefined, unclear),
      ...(await this.related.broken(caller, system, unclear)),
    ]);
    await this.systems.assertMayOwn(caller, system);
    assertNotReserved(id);
    return this.systems.store(caller, {
      system,
      parent: { seqId: parent.seqId, id: parentId },
      hostKeys: parent.hostKeys,
      url: `${url}/${id}`,
    });
  }

  /** By the owner of the child, or a tenant admin; nothing happens to a system that has no parent. */
  async unlink(caller: Caller, id: string): Promise<number> {
    const row = await this.read.live(caller, id);
    await this.access.assertOwnerOrAdmin(caller, row, 'unlink');
    if (!row.parentId) return 0;
    return this.unlinkAll(caller, [row]);
  }

  /** By the owner of the parent, or a tenant admin: the named children, or all. */
  async unlinkChildren(
    caller: Caller,
    parentId: string,
    { ids, all }: { ids?: string[]; all: boolean },
  ): Promise<number> {
    const parent = await this.read.live(caller, parentId);
    await this.access.assertOwnerOrAdmin(caller, parent, 'unlink the children of');
    if (all === (ids !== undefined))
      throw new BadInput(
        'SYSLIB_CHILD_UNLINK_WHICH',
        `Name the children of "${parentId}" to unlink in childSystemIds, or say all=true: one of both.`,
      );
    const children = await this.database.transaction((tx) =>
      this.children.of(tx, parent.tenant, parentId),
    );
    const named = ids ? ids.map((id) => childNamed(id, children, parentId)) : children;
    return this.unlinkAll(caller, named);
  }

  private unlinkAll(caller: Caller, rows: { seqId: string }[]): Promise<number> {
    const seqIds = [...new Set(rows.map(({ seqId }) => seqId))];
    return this.database.transaction(async (tx) => {
      const changes = await this.children.unlink(tx, seqIds);
      for (const seqId of seqIds)
        await this.history.add(tx, seqId, caller, 'modify', { parentId: '' });
      return changes;
    });
  }
}

/** A name made of those of parent and caller may be none that a system can have. */
function idProblem(given: string | undefined, id: string): string[] {
  if (given !== undefined || (id.length <= 80 && ID.match.test(id))) return [];
  return [`SYSLIB_INVALID_STR_ATTR id: is missing, and "${id}" can't be the id of a system`];
}

function assertMayHaveChildren({ id, parentId, attributes }: SystemRow): void {
  if (attributes.allowChildren && !parentId) return;
  throw new BadInput(
    'SYSLIB_CHILD_NOT_PERMITTED',
    parentId
      ? `System "${id}" is itself a child system: it can't have children.`
      : `System "${id}" does not allow children.`,
  );
}

function childNamed(id: string, children: ChildSystem[], parentId: string): ChildSystem {
  const child = children.find((one) => one.id === id);
  if (child) return child;
  throw new NotFound(
    'SYSLIB_CHILD_CHILD_NOT_FOUND',
    `System "${id}" is not a child of system "${parentId}".`,
    id,
  );
}

/** The parent's definition under what is the child's own. */
function childOf(parent: SystemRow, own: NewChildSystem, caller: Caller): OwnedSystem {
  const inherited = attributesOf(parent);
  const owner = ownerIn(own, caller);
  const values = { apiUserId: caller.user, owner, tenant: caller.tenant };
  const rootDir = own.rootDir === undefined ? undefined : withVariables(own.rootDir, values);
  const plain = rootDir !== undefined && parent.systemType !== 'S3' && !hasHostEval(rootDir);
  return {
    ...inherited,
    id: own.id ?? `${parent.id}-${caller.user}`,
    owner,
    enabled: own.enabled,
    effectiveUserId: loginIn(own.effectiveUserId ?? inherited.effectiveUserId, owner),
    rootDir:
      plain && rootDir.startsWith('/') ? normalised(rootDir) : (rootDir ?? inherited.rootDir),
    allowChildren: false,
  };
}
