import { Flag, Text } from '@libs/fields';

export class AppQuery {
  @Text({ optional: true, description: 'Attributes, allAttributes or summaryAttributes' })
  select?: string;
  @Flag({ default: false, description: 'Refuse unless the caller may execute the app' })
  requireExecPerm!: boolean;
  @Text({ optional: true, max: 60, description: 'Services and tenant admins: read as this user' })
  impersonationId?: string;
  @Text({ optional: true, max: 50, description: 'Service jobs in its own name: of this tenant' })
  resourceTenant?: string;
}

export class EnabledQuery {
  @Text({ optional: true, max: 64 }) version?: string;
}
