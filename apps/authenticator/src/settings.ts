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
}
