import { ServiceSettings, Setting } from '@libs/config';

export class SecurityKernelSettings extends ServiceSettings {
  @Setting({
    env: 'MASTER_KEY',
    kind: 'secret',
    required: true,
    doc: 'Keys that seal secrets: id:base64 of 32 bytes, several separated by commas, the first one seals',
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
}
