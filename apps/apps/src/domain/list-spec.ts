import { fieldsOf } from '@libs/fields';
import type { Attribute, ListSpec } from '@libs/search';
import { LIST_TYPES } from '@libs/security-client';
import { AppRecord } from './app';
import { JobAttributes } from './job-attributes';

const named = ({ name, type, search, sort, summary }: Attribute): Attribute => ({
  name,
  type,
  search,
  sort,
  summary,
});
const time = (name: string): Attribute => ({ name, type: 'timestamp', search: true, sort: true });

/** Attributes of an app record; scalars of jobAttributes are found by their own names too. */
export const attributes: readonly Attribute[] = [
  ...fieldsOf(AppRecord).map((f) => named(f as Attribute)),
  time('created'),
  time('updated'),
  { name: 'isPublic', type: 'boolean', search: true, sort: true },
  { name: 'sharedWithUsers', type: 'tags', search: true },
  { name: 'sharedAppCtx', type: 'string' },
  { name: 'jobDescription', type: 'string', search: true, sort: true },
  ...fieldsOf(JobAttributes)
    .filter((f) => f.search)
    .map((f) => ({ ...named(f as Attribute), summary: false })),
];

export const listSpec: ListSpec = {
  attributes,
  unique: ['id', 'version'],
  listTypes: LIST_TYPES,
  extra: ['showDeleted', 'impersonationId'],
  codes: { search: 'APPLIB_SEARCH_ERROR', listType: 'APPLIB_LISTTYPE_ERROR' },
};
