import { ServiceSettings, Setting } from '@libs/config';

export class TokensSettings extends ServiceSettings {
  @Setting({
    env: 'SITE_ADMIN_PRIVATE_KEY',
    kind: 'secret',
    required: true,
    doc: "PEM key that signs for the site's administrative tenant",
  })
  siteAdminPrivateKey!: string;
}
