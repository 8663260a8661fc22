import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database, Idempotency } from '@libs/database';
import { BadInput, Conflict, Forbidden, reply, type Reply } from '@libs/envelope';
import { AppAccess } from '../clients/app-access';
import { Systems } from '../clients/systems';
import { NewApp } from '../domain/app';
import { completed } from '../domain/completed';
import { RESERVED_IDS, RESERVED_VERSIONS } from '../domain/names';
import { afterBody, readBody, type IsClear } from '../domain/read-body';
import { AppsStore } from '../store/apps.store';
import { HistoryStore } from '../store/history.store';

/** A new version of an app; the first one makes the app. */
@Injectable()
export class CreateVersion {
  constructor(
    private readonly database: Database,
    private readonly idempotency: Idempotency,
    private readonly apps: AppsStore,
    private readonly history: HistoryStore,
    private readonly access: AppAccess,
    private readonly systems: Systems,
  ) {}

  async create(caller: Caller, given: unknown, url: string): Promise<Reply<{ url: string }>> {
    const read = readBody(NewApp, given);
    const body = read.value;
    const { id, version } = body;
    const { there, owner } = await afterBody(read.violations, () =>
      this.place(caller, body, read.isClear),
    );
    // without its attributes of jobs nothing can be completed
    const app = { ...(body.jobAttributes ? completed(body) : body), owner };
    const what = `version "${version ?? ''}" of app "${id ?? ''}"`;
    await this.systems.assertSound(caller, app, what, read);
    return this.database.transaction(async (tx) => {
      const added = await this.apps.add(tx, caller.tenant, app);
      if (!added) throw taken(id, version);
      if (added.deleted) throw deleted(id);
      // Somebody else made the app since we looked: whether the caller may add to it was not asked yet.
      if (!there && added.owner !== owner) throw taken(id, version);
      await this.history.add(tx, added.appSeqId, caller, 'create', app, version);
      const text = `version "${version}" of app "${id}" created by ${caller.user}@${caller.tenant}`;
      return this.idempotency.answer(
        tx,
        reply('APPAPI_CREATED', text, { url: `${url}/${id}` }, { status: 201 }),
      );
    });
  }

  /** The app that is there already, and whose the version will be; or why the caller may not add it. */
  private async place(caller: Caller, body: NewApp, isClear: IsClear) {
    const { id } = body;
    const there = isClear('id') ? await this.apps.find(caller.tenant, id) : undefined;
    // The id is taken, which the caller may know: it could be had otherwise.
    if (there && !(await this.access.mayModify(caller, there)))
      throw this.access.refused(caller, id, 'add a version to');
    if (there?.deleted) throw deleted(id);
    const owner = there ? there.owner : await this.ownerOf(caller, body);
    assertNotReserved(body);
    return { there, owner };
  }

  private async ownerOf(caller: Caller, { owner, id }: NewApp): Promise<string> {
    if (!owner || owner === '${apiUserId}' || owner === caller.user) return caller.user;
    if (await this.access.isAdmin(caller)) return owner;
    throw new Forbidden(
      'APPLIB_UNAUTH',
      `${caller.user}@${caller.tenant} may not create app "${id}" for owner "${owner}": only tenant administrators may.`,
    );
  }
}

const taken = (id: string, version: string) =>
  new Conflict('APPLIB_APP_EXISTS', `Version "${version}" of app "${id}" exists already.`);
const deleted = (id: string) =>
  new BadInput(
    'APPLIB_APP_DELETED',
    `App "${id}" is deleted; undelete it before adding a version.`,
  );

function assertNotReserved({ id, version }: Partial<NewApp>): void {
  if (id && RESERVED_IDS.includes(id.toLowerCase())) {
    throw new Conflict('APPLIB_CREATE_RESERVED', `The id "${id}" is kept for the service itself.`);
  }
  if (version && RESERVED_VERSIONS.includes(version.toLowerCase())) {
    throw new Conflict(
      'APPLIB_CREATE_VER_RESERVED',
      `The version "${version}" is kept for the service itself.`,
    );
  }
}
