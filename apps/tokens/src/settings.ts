import { ServiceSettings, Setting } from '@libs/config';

export class TokensSettings extends ServiceSettings {
  @Setting({
    env: 'SITE_ADMIN_PRIVATE_KEY',
    kind: 'secret',
    required: true,
    doc: "PEM key that signs for the site's administrative tenant",
  })
  siteAdminPrivateKey!: string;

  @Setting({
    env: 'CRASH_AT',
    kind: 'text',
    doc: 'Tests only: the point of a key rotation at which the process ends by SIGKILL',
  })
  crashAt?: string;
}
