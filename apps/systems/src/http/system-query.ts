import { Flag, Items, Text } from '@libs/fields';

export class SystemQuery {
  @Text({ optional: true, description: 'Attributes, allAttributes or summaryAttributes' })
  select?: string;
  @Text({ optional: true, max: 20, description: 'With returnCredentials: of this method' })
  authnMethod?: string;
  @Flag({ default: false, description: 'Refuse unless the caller may run jobs on it' })
  requireExecPerm!: boolean;
  @Flag({ default: false, description: 'Services files and jobs only' })
  returnCredentials!: boolean;
  @Text({ optional: true, max: 60, description: 'Services and tenant admins: read as this user' })
  impersonationId?: string;
  @Text({ optional: true, max: 60, description: 'Services files and jobs: who shared the app' })
  sharedAppCtx?: string;
  @Text({
    optional: true,
    max: 50,
    description: 'Services files and jobs in their own name: of this tenant',
  })
  resourceTenant?: string;
}

export class CheckQuery {
  @Flag({ default: false, description: 'Register without trying to log in' })
  skipCredentialCheck!: boolean;
}

export class RegisterQuery extends CheckQuery {
  @Flag({ default: false, description: 'Have a key pair made by the Trust Manager of the site' })
  createTmsKeys!: boolean;
}

export class SignInQuery {
  @Flag({ default: true, description: 'false for personal endpoints, which have no such scope' })
  dataAccess!: boolean;
}

export class UnlinkQuery {
  @Flag({ default: false, description: 'All children; then without a body' }) all!: boolean;
}

export class UnlinkBody {
  @Items(String, { optional: true, minItems: 1, maxItems: 1000, max: 80 })
  childSystemIds?: string[];
}

export class MatchBody {
  @Items(String, { minItems: 1 }) match!: string[];
}

export class MethodQuery {
  @Text({ optional: true, max: 20 }) authnMethod?: string;
}

export class HostKey {
  @Text({ max: 100, match: /^SHA256:[A-Za-z0-9+/]+$/, rule: 'must be a SHA256 fingerprint' })
  fingerprint!: string;
}
