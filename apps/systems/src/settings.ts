import { ServiceSettings, Setting } from '@libs/config';

export class SystemsSettings extends ServiceSettings {
  @Setting({
    env: 'CONNECT_SECONDS',
    kind: 'int',
    default: 15,
    doc: 'How long a login to a host may take when a credential is checked',
  })
  connectSeconds!: number;
}
