import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database, Idempotency } from '@libs/database';
import { ApiError, BadInput, Forbidden, isApiError, NotFound, reply } from '@libs/envelope';
import { type Actor, FileAccess, type Need, parseFileUri } from '@libs/files-access';
import { isStorageError, normalisePath, storageTypes } from '@libs/storage';
import { type NewElement, TransfersStore } from '@libs/transfers-store';
import { parentRecord, transferRecord } from '../domain/transfer-record';

const CONTEXT_SERVICES = ['jobs', 'files'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Element = Omit<NewElement, 'sourceUri' | 'destinationUri'> & {
  sourceURI: string;
  destinationURI: string;
};
interface End {
  systemId: string;
  path: string;
  need: Need;
  sharedCtx: string | null;
}

/** Transfers: checked and stored here, done by the workers. */
@Injectable()
export class TransfersActions {
  constructor(
    private readonly access: FileAccess,
    private readonly store: TransfersStore,
    private readonly database: Database,
    private readonly idempotency: Idempotency,
  ) {}

  async create(caller: Caller, actor: Actor, tag: string | null, elements: Element[]) {
    const problems: ApiError[] = [];
    const ends = new Map<string, End>();
    elements.forEach((element, i) => {
      try {
        for (const end of endsOf(element, caller.service)) ends.set(JSON.stringify(end), end);
      } catch (error) {
        problems.push(numbered(error, i));
      }
    });
    await Promise.all(
      [...ends.values()].map((end) => this.check(actor, end).catch((e) => problems.push(known(e)))),
    );
    if (problems.length) throw together(problems);
    return this.database.transaction(async (tx) => {
      const made = await this.store.create(tx, {
        uuid: randomUUID(),
        tenant: actor.tenant,
        username: actor.user,
        tag,
        elements: elements.map(({ sourceURI, destinationURI, ...rest }) => ({
          ...rest,
          srcSharedCtx: rest.srcSharedCtx ?? null,
          destSharedCtx: rest.destSharedCtx ?? null,
          sourceUri: sourceURI,
          destinationUri: destinationURI,
          uuid: randomUUID(),
        })),
      });
      const parents = await this.store.parents(made.id, tx);
      const record = transferRecord(
        made,
        parents.map((p) => parentRecord(p, null)),
      );
      const text = `transfer ${made.uuid} of ${elements.length} elements`;
      return this.idempotency.answer(tx, reply('FAPI_TXFR_CREATED', text, record, { status: 201 }));
    });
  }

  async list(actor: Actor, page: { limit: number; offset: number }) {
    const rows = await this.store.list(actor.tenant, actor.user, page);
    return rows.map((row) => transferRecord(row, null));
  }

  async get(actor: Actor, uuid: string, details: boolean) {
    const row = await this.own(actor, uuid);
    const parents = await this.store.parents(row.id);
    const children = details ? await this.store.children(row.id) : null;
    return transferRecord(
      row,
      parents.map((p) => parentRecord(p, children?.filter((c) => c.parentId === p.id) ?? null)),
    );
  }

  async cancel(actor: Actor, uuid: string): Promise<void> {
    await this.own(actor, uuid);
    await this.store.cancel(actor.tenant, uuid, actor.user);
  }

  private async own({ tenant, user }: Actor, uuid: string) {
    if (!UUID.test(uuid)) throw new BadInput('FILES_TXFR_BAD_UUID', `${uuid} is not a UUID`);
    const row = await this.store.find(tenant, uuid.toLowerCase());
    if (row?.username === user) return row;
    throw new NotFound(
      'FILES_TXFR_NOT_FOUND',
      `user ${user} of tenant ${tenant} has no transfer ${uuid}`,
    );
  }

  private async check(actor: Actor, { systemId, path, need, sharedCtx }: End): Promise<void> {
    const question = { actor, systemId, paths: [path], need, sharedCtx };
    const { system } = await this.access.require(question);
    const type = storageTypes[system.systemType];
    if (need === 'READ' ? type?.source : type?.destination) return;
    const role = need === 'READ' ? 'a source' : 'a destination';
    throw new ApiError(
      501,
      'FILES_TXFR_UNSUPPORTED',
      `systems of type ${system.systemType} cannot be ${role} of transfers (${systemId})`,
    );
  }
}

/** The ends of an element and what has to be allowed there; throws on what no system has to be asked for. */
function endsOf(element: Element, service: string | undefined): End[] {
  const { sourceURI, destinationURI, transferType, srcSharedCtx, destSharedCtx } = element;
  const trusted = CONTEXT_SERVICES.includes(service ?? '');
  if ((srcSharedCtx || destSharedCtx) && !trusted) {
    throw new Forbidden('FILES_UNAUTH_SHAREDCTX_TXFR', 'only services may name a shared context');
  }
  const source = parseFileUri(sourceURI);
  const destination = parseFileUri(destinationURI);
  if (typeof source === 'string') throw bad('sourceURI', source);
  if (typeof destination === 'string') throw bad('destinationURI', destination);
  if (destination.kind === 'http') throw bad('destinationURI', 'must lead to a system');
  const moves = transferType !== 'TRANSFER';
  if (moves && !trusted) {
    throw new Forbidden('FILES_TXFR_DTN_MOVE_INVALID', `only services may ask for ${transferType}`);
  }
  if (moves && (source.kind === 'http' || source.systemId !== destination.systemId)) {
    throw new BadInput('FILES_TXFR_DTN_MOVE_INVALID', `${transferType} stays on one system`);
  }
  const to = path('destinationURI', destination.path);
  const into: End = {
    systemId: destination.systemId,
    path: to,
    need: 'MODIFY',
    sharedCtx: destSharedCtx ?? null,
  };
  if (source.kind === 'http') {
    if (to === '' && !destination.folder) throw bad('destinationURI', 'must name a file');
    return [into];
  }
  const from = path('sourceURI', source.path);
  const need = moves ? 'MODIFY' : 'READ';
  return [{ systemId: source.systemId, path: from, need, sharedCtx: srcSharedCtx ?? null }, into];
}

function path(field: string, raw: string): string {
  try {
    return normalisePath(raw);
  } catch (error) {
    if (isStorageError(error)) throw bad(field, error.message);
    throw error;
  }
}

const bad = (field: string, text: string) => new BadInput('FILES_TXFR_URI', `${field} ${text}`);

function known(error: unknown): ApiError {
  if (isApiError(error)) return error;
  throw error;
}

function numbered(error: unknown, i: number): ApiError {
  const { status, code, text } = known(error);
  return new ApiError(status, code, `elements[${i}]: ${text}`);
}

/** One answer for all: trouble with other services first, then what is not allowed, missing, wrong. */
function together(problems: ApiError[]): ApiError {
  if (problems.length === 1) return problems[0]!;
  const rank = ({ status }: ApiError) =>
    status >= 500 && status !== 501 ? 0 : status === 403 ? 1 : 2;
  const first = problems.toSorted((a, b) => rank(a) - rank(b))[0]!;
  const others = problems.filter((p) => p !== first).map((p) => p.message);
  const status =
    rank(first) === 2 && first.status !== 404 && first.status !== 501 ? 400 : first.status;
  return new ApiError(status, first.code, [first.text, ...others].join('; '));
}
