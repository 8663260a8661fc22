import { BadInput } from '@libs/envelope';
import { fieldsOf, Text } from '@libs/fields';
import { Tenant } from '../domain/tenant';
import type { TenantStatus } from '../domain/tenant-status';

/** Any text that is not empty means yes. */
export class TenantsQuery {
  @Text({ optional: true }) show_draft?: string;
  @Text({ optional: true }) show_inactive?: string;
  @Text({ optional: true, description: 'Attributes to answer, separated by commas' })
  select?: string;
}

const SHOWN = [
  ...fieldsOf(Tenant).map(({ name }) => name),
  'allowable_x_tenant_ids',
  'is_owned_by_associate_site',
  'create_time',
  'last_update_time',
  'created_by',
  'last_updated_by',
];

export function statusesOf({ show_draft, show_inactive }: TenantsQuery): TenantStatus[] {
  const statuses: TenantStatus[] = ['ACTIVE'];
  if (show_draft) statuses.push('DRAFT');
  if (show_inactive) statuses.push('INACTIVE');
  return statuses;
}

/** Keeps the named attributes of a record; without names all of them. */
export function selector({ select }: TenantsQuery): (record: object) => object {
  const names = (select ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (!names.length || names.includes('allAttributes')) return (record) => record;
  const unknown = names.filter((name) => !SHOWN.includes(name));
  if (unknown.length)
    throw new BadInput(
      'TENANTS_SELECT',
      `select: ${unknown.join(', ')} unknown; a tenant has ${SHOWN.join(', ')}`,
    );
  return (record) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}
