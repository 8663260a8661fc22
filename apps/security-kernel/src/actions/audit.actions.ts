import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { BadInput, type ListMetadata } from '@libs/envelope';
import { listMetadata, listQuery, type ListSpec } from '@libs/search';
import { AUDIT_ATTRIBUTES, type AuditRecord } from '../domain/audit-record';
import { Authority } from '../domain/authority';
import { AuditStore } from '../store/audit.store';

const SPEC: ListSpec = {
  attributes: AUDIT_ATTRIBUTES,
  unique: ['id'],
  order: 'id(desc)',
  maxLimit: 1000,
  bareEquals: true,
  extra: ['tenant'],
  codes: { query: 'SK_AUDIT_QUERY', search: 'SK_AUDIT_QUERY', orderBy: 'SK_AUDIT_QUERY' },
};

/** Who changed what: for the administrators of a tenant and of the site. */
@Injectable()
export class AuditActions {
  constructor(
    private readonly audit: AuditStore,
    private readonly authority: Authority,
  ) {}

  async list(
    caller: Caller,
    rawQuery: { [name: string]: string | string[] },
  ): Promise<{ records: AuditRecord[]; metadata: ListMetadata }> {
    const { tenant } = rawQuery;
    if (typeof tenant !== 'string' || !tenant)
      throw new BadInput('SK_AUDIT_QUERY', 'The parameter "tenant" is missing.');
    await this.authority.assertAdminPerson(caller, tenant);
    const query = listQuery(rawQuery, SPEC, { conditions: true });
    const { records, total } = await this.audit.list(tenant, query);
    return { records, metadata: listMetadata(query, records.length, total) };
  }
}
