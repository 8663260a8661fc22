import { Flag, Text, Whole } from '@libs/fields';
import { TENANT_LENGTH } from './limits';

const PRIVILEGE = { min: 1, max: 64, match: /^[A-Za-z][A-Za-z0-9_]*$/ };

class Shared {
  @Text({ min: 1, max: TENANT_LENGTH }) tenant!: string;
  @Text({ min: 1, max: 24 }) resourceType!: string;
  @Text({ min: 1, max: 2048, trim: false }) resourceId1!: string;
  @Text({ optional: true, max: 2048, trim: false }) resourceId2?: string;
  @Text(PRIVILEGE) privilege!: string;
}

export class NewShare extends Shared {
  @Text({ min: 1, max: 60 }) grantor!: string;
  @Text({ min: 1, max: 60 }) grantee!: string;
}

export class PrivilegeQuery extends Shared {
  @Text({ min: 1, max: 60 }) grantee!: string;
  @Flag({ default: false }) excludePublic!: boolean;
  @Flag({ default: false }) excludePublicNoAuthn!: boolean;
}

export class SharesQuery {
  @Text({ min: 1, max: TENANT_LENGTH }) tenant!: string;
  @Text({ optional: true }) grantor?: string;
  @Text({ optional: true }) grantee?: string;
  @Text({ optional: true }) resourceType?: string;
  @Text({ optional: true, max: 2049, trim: false }) resourceId1?: string;
  @Text({ optional: true, max: 2049, trim: false }) resourceId2?: string;
  @Text({ optional: true }) privilege?: string;
  @Text({ optional: true }) createdBy?: string;
  @Text({ optional: true }) createdByTenant?: string;
  @Flag({ default: true, description: 'With a grantee: also what is shared with everybody' })
  includePublicGrantees!: boolean;
  @Flag({ default: true, description: 'Without resourceId2: only shares that have none' })
  requireNullId2!: boolean;
  @Whole({
    default: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Above 0: this share, whatever else is asked',
  })
  id!: number;
}
