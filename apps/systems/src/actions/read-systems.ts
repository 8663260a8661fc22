import { Injectable } from '@nestjs/common';
import { Tenants, type Caller } from '@libs/auth';
import { BadInput, Forbidden, reply } from '@libs/envelope';
import { listMetadata, listQuery, parseSelect, pick } from '@libs/search';
import { CredentialVault } from '../clients/credential-vault';
import { SystemAccess } from '../clients/system-access';
import { authnMethodOf } from '../domain/credential';
import { credentialUser, isDynamic, loginFor } from '../domain/effective-user';
import { attributes, listSpec } from '../domain/list-spec';
import { usableMethods, type SystemRow } from '../store/system-row';
import { SystemsListStore } from '../store/systems-list.store';
import { SystemsStore } from '../store/systems.store';
import { etagOfSystem, shown } from './shown';

type RawQuery = Record<string, string | string[]>;

export interface ReadOptions {
  select?: string;
  authnMethod?: string;
  requireExecPerm: boolean;
  returnCredentials: boolean;
  impersonationId?: string;
  sharedAppCtx?: string;
  resourceTenant?: string;
}

/** Services that work on hosts in a user's name, and therefore read credentials. */
const CREDENTIAL_READERS = ['files', 'jobs'];

/** Systems as callers see them: one, or a list. */
@Injectable()
export class ReadSystems {
  constructor(
    private readonly systems: SystemsStore,
    private readonly lists: SystemsListStore,
    private readonly access: SystemAccess,
    private readonly tenants: Tenants,
    private readonly vault: CredentialVault,
  ) {}

  /** The row of a live system that the caller may read; 404 for whoever may not. */
  async readable(caller: Caller, id: string): Promise<SystemRow> {
    const row = await this.live(caller, id);
    await this.access.assertMayRead(caller, row);
    return row;
  }

  async live(caller: Caller, id: string): Promise<SystemRow> {
    const row = await this.systems.find(caller.tenant, caller.user, id);
    if (!row || row.deleted) throw this.access.missing(caller.tenant, id);
    return row;
  }

  async get(caller: Caller, id: string, options: ReadOptions) {
    if (options.authnMethod) authnMethodOf(options.authnMethod);
    const reader = await this.reader(caller, options);
    const row = await this.live(reader, id);
    if (!options.resourceTenant) await this.assertMayUse(reader, row, options);
    const record = shown(row, reader.user);
    if (options.returnCredentials)
      record.authnCredential = await this.credential(row, reader.user, options.authnMethod);
    const select = parseSelect(options.select, { attributes });
    const etag = options.returnCredentials ? undefined : etagOfSystem(row);
    return reply('SYSAPI_FOUND', `system "${id}"`, pick(select, record), { etag });
  }

  /** `conditions`: the query may hold search conditions; `body`: those of a POST search. */
  async list(caller: Caller, raw: RawQuery, source: { conditions?: boolean; body?: unknown } = {}) {
    const query = listQuery(raw, listSpec, source);
    const reader = await this.reader(caller, { impersonationId: one(raw['impersonationId']) });
    const visible = {
      ...(await this.access.visible(reader, query.listType)),
      showDeleted: isTrue(one(raw['showDeleted'])),
      hasCredentials: flag(one(raw['hasCredentials'])),
    };
    const named = (visible.ids ?? []).filter((id) => id !== '*');
    if (named.length)
      await this.access.forgetGone(reader.tenant, await this.lists.gone(reader.tenant, named));
    const { rows, total } = await this.lists.list(reader.tenant, reader.user, visible, query);
    const records = rows.map((row) => pick(query.select, shown(row, reader.user)));
    return reply('SYSAPI_FOUND', `${records.length} systems`, records, {
      metadata: listMetadata(query, records.length, total),
    });
  }

  /** The credential that `user` logs in with, by the given or the default method; null when none is registered. */
  async credential(row: SystemRow, user: string, method?: string) {
    const authnMethod = authnMethodOf(method ?? row.attributes.defaultAuthnMethod);
    const { effectiveUserId } = row.attributes;
    const place = {
      tenant: row.tenant,
      systemId: row.id,
      user: credentialUser(effectiveUserId, user),
      isStatic: !isDynamic(effectiveUserId),
    };
    const secret = usableMethods(row).includes(authnMethod)
      ? await this.vault.read(place, authnMethod)
      : undefined;
    return secret
      ? { authnMethod, ...secret, loginUser: loginFor(effectiveUserId, user, row.login) }
      : null;
  }

  /** A service in its own name, not a user's: it has looked itself whether its user may. */
  private speaksForItself(caller: Caller, tenant: string): boolean {
    const itself = caller.tenant === caller.jwtTenant && caller.user === caller.jwtUser;
    return (
      CREDENTIAL_READERS.includes(caller.service ?? '') &&
      itself &&
      this.tenants.mayActFor(caller.jwtTenant, tenant)
    );
  }

  /** Who shared an app lends its user the right to the system the app names, in jobs only. */
  private async assertMayUse(
    reader: Caller,
    row: SystemRow,
    { requireExecPerm, sharedAppCtx }: ReadOptions,
  ): Promise<void> {
    const grantor = sharedAppCtx ? { tenant: reader.tenant, user: sharedAppCtx } : undefined;
    const lent = async (right: 'READ' | 'EXECUTE') =>
      grantor !== undefined && (await this.access.mayLend(grantor, row, right));
    if (!(await lent('READ'))) await this.access.assertMayRead(reader, row);
    if (!requireExecPerm) return;
    if (!(await lent('EXECUTE'))) await this.access.assertMayExecute(reader, row);
    if (!row.attributes.canExec)
      throw new Forbidden(
        'SYSLIB_NOTEXEC',
        `System "${row.id}" does not execute jobs (canExec is false).`,
      );
  }

  /** Whose eyes the caller looks through; the parameters for services are refused to everybody else. */
  private async reader(caller: Caller, options: Partial<ReadOptions>): Promise<Caller> {
    const service = caller.accountType === 'service' ? (caller.service ?? '') : '';
    const refuse = (code: string, parameter: string) =>
      new Forbidden(code, `${service || caller.user}@${caller.tenant} may not use ${parameter}.`);
    if (options.returnCredentials && !CREDENTIAL_READERS.includes(service))
      throw refuse('SYSLIB_UNAUTH_GETCRED', 'returnCredentials');
    if (options.sharedAppCtx && !CREDENTIAL_READERS.includes(service))
      throw refuse('SYSLIB_UNAUTH_SHAREDAPPCTX', 'sharedAppCtx');
    const { impersonationId, resourceTenant } = options;
    if (resourceTenant) {
      if (!this.speaksForItself(caller, resourceTenant))
        throw refuse('SYSLIB_UNAUTH_RESOURCETENANT', 'resourceTenant');
      return { ...caller, tenant: resourceTenant, user: impersonationId ?? caller.user };
    }
    if (!impersonationId || impersonationId === caller.user) return caller;
    const allowed = service
      ? [...CREDENTIAL_READERS, 'apps'].includes(service)
      : await this.access.isAdmin(caller);
    if (!allowed) throw refuse('SYSLIB_UNAUTH_IMPERSONATE', 'impersonationId');
    return { ...caller, user: impersonationId };
  }
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
const isTrue = (text: string | undefined): boolean => text?.toLowerCase() === 'true';

function flag(text: string | undefined): boolean | undefined {
  if (text === undefined || /^(true|false)$/i.test(text))
    return text === undefined ? undefined : isTrue(text);
  throw new BadInput('SYSLIB_INVALID_PARAMETER', 'hasCredentials must be true or false.');
}
