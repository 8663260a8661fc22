import { fieldsOf } from '@libs/fields';
import type { Attribute, ListSpec } from '@libs/search';
import { LIST_TYPES } from '@libs/security-client';
import { SystemAttributes } from './system';

const named = ({ name, type, search, sort, summary }: Attribute): Attribute => ({
  name,
  type,
  search,
  sort,
  summary,
});
const searchable = (name: string, type: Attribute['type']): Attribute => ({
  name,
  type,
  search: true,
  sort: true,
});

/** Every attribute of a system record as callers see it. */
export const attributes: readonly Attribute[] = [
  ...fieldsOf(SystemAttributes).map((f) => named(f as Attribute)),
  searchable('tenant', 'string'),
  searchable('deleted', 'boolean'),
  searchable('created', 'timestamp'),
  searchable('updated', 'timestamp'),
  searchable('parentId', 'string'),
  searchable('uuid', 'string'),
  searchable('hasCredentials', 'boolean'),
  searchable('isDynamicEffectiveUser', 'boolean'),
  searchable('isPublic', 'boolean'),
  { name: 'sharedWithUsers', type: 'tags', search: true },
  { name: 'authnCredential', type: 'json' },
  { name: 'hostKeys', type: 'json' },
];

export const listSpec: ListSpec = {
  attributes,
  unique: ['id'],
  listTypes: LIST_TYPES,
  extra: ['showDeleted', 'impersonationId', 'hasCredentials'],
  codes: { search: 'SYSLIB_SEARCH_ERROR', listType: 'SYSLIB_LISTTYPE_ERROR' },
};
