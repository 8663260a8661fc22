import { ServiceSettings, Setting } from '@libs/config';

export class AuthenticatorSettings extends ServiceSettings {
  @Setting({
    env: 'SEED_ACCOUNTS',
    kind: 'json',
    secret: true,
    default: {},
    doc: 'Test accounts to make at start, {tenant: {user: password}}; refused in production',
  })
  seedAccounts!: Record<string, Record<string, string>>;

  @Setting({
    env: 'ACCESS_TOKEN_SECONDS',
    kind: 'int',
    default: 14_400,
    doc: 'Life of an access token from the password grant, in seconds',
  })
  accessTokenSeconds!: number;

  @Setting({
    env: 'TRUSTED_PROXIES',
    kind: 'int',
    default: 0,
    max: 10,
    doc: 'Proxies before this service whose X-Forwarded-For is believed; 0: the address of the connection counts',
  })
  trustedProxies!: number;

  @Setting({
    env: 'LDAP_CA_FILE',
    kind: 'text',
    doc: 'PEM file with the certificates that LDAPS servers are trusted by, instead of those of the system',
  })
  ldapCaFile?: string;

  @Setting({
    env: 'LOGIN_FAILURES',
    kind: 'int',
    default: 10,
    min: 1,
    doc: 'Failed logins of a user, or of a client from one address, that lock it',
  })
  loginFailures!: number;

  @Setting({
    env: 'ADDRESS_FAILURES',
    kind: 'int',
    default: 100,
    min: 1,
    doc: 'Failed logins from one address that lock it',
  })
  addressFailures!: number;

  @Setting({
    env: 'LOCK_SECONDS',
    kind: 'int',
    default: 300,
    min: 1,
    doc: 'Time in which failures add up, and for which they lock',
  })
  lockSeconds!: number;

  @Setting({
    env: 'TENANT_REQUESTS_PER_MINUTE',
    kind: 'int',
    default: 12_000,
    min: 1,
    doc: 'Requests that the token endpoints of a tenant take in a minute',
  })
  tenantRequests!: number;

  @Setting({
    env: 'CLIENT_REQUESTS_PER_MINUTE',
    kind: 'int',
    default: 6_000,
    min: 1,
    doc: 'Requests for tokens of one OAuth client in a minute',
  })
  clientRequests!: number;

  @Setting({
    env: 'ADDRESS_REQUESTS_PER_MINUTE',
    kind: 'int',
    default: 3_000,
    min: 1,
    doc: 'Requests for tokens from one address in a minute',
  })
  addressRequests!: number;

  @Setting({
    env: 'AUDIT_DAYS',
    kind: 'int',
    default: 90,
    min: 1,
    doc: 'How long it is remembered who was let in and who was not',
  })
  auditDays!: number;
}
