import { ServiceSettings, Setting } from '@libs/config';

export class SecurityKernelSettings extends ServiceSettings {
  @Setting({
    env: 'MASTER_KEY',
    kind: 'secret',
    required: true,
    doc: 'Keys that wrap the keys of secrets: id:base64 of 32 bytes, several separated by commas, the first one wraps',
  })
  masterKey!: string;

  @Setting({
    env: 'SERVICE_PASSWORDS',
    kind: 'json',
    secret: true,
    default: {},
    doc: 'Passwords of the site services by name, kept as secrets at start',
  })
  servicePasswords!: Record<string, string>;

  @Setting({
    env: 'VAULT_URL',
    kind: 'url',
    doc: 'A Vault or OpenBao server that keeps the secrets; without it they lie sealed in PostgreSQL',
  })
  vaultUrl?: string;

  @Setting({
    env: 'VAULT_MOUNT',
    kind: 'text',
    default: 'secret',
    doc: 'Where the server has its key-value engine, version 2',
  })
  vaultMount!: string;

  @Setting({ env: 'VAULT_NAMESPACE', kind: 'text', doc: 'Namespace of the server, if it has any' })
  vaultNamespace?: string;

  @Setting({ env: 'VAULT_TOKEN', kind: 'secret', doc: 'A token of the server; or an AppRole' })
  vaultToken?: string;

  @Setting({ env: 'VAULT_ROLE_ID', kind: 'text', doc: 'AppRole that logs in at the server' })
  vaultRoleId?: string;

  @Setting({ env: 'VAULT_SECRET_ID', kind: 'secret', doc: 'Secret id of the AppRole' })
  vaultSecretId?: string;

  @Setting({
    env: 'VAULT_AUTH_MOUNT',
    kind: 'text',
    default: 'approle',
    doc: 'Where the server has its AppRole method',
  })
  vaultAuthMount!: string;
}
