import { ServiceSettings, Setting } from '@libs/config';

export class SystemsSettings extends ServiceSettings {
  @Setting({
    env: 'CONNECT_SECONDS',
    kind: 'int',
    default: 15,
    doc: 'How long a login to a host may take when a credential is checked',
  })
  connectSeconds!: number;

  @Setting({
    env: 'ABANDONED_SECONDS',
    kind: 'int',
    default: 60,
    min: 1,
    doc: 'After this long a change that told the security kernel something is taken for dead and settled',
  })
  abandonedSeconds!: number;

  @Setting({
    env: 'TMS_URL',
    kind: 'url',
    doc: 'Trust Manager server that makes SSH keys (TMS_KEYS); without it there are none',
  })
  tmsUrl?: string;

  @Setting({ env: 'TMS_TENANT', kind: 'text', default: '', doc: 'Tenant of the Trust Manager' })
  tmsTenant!: string;

  @Setting({ env: 'TMS_CLIENT_ID', kind: 'text', default: '', doc: 'Our client id there' })
  tmsClientId!: string;

  @Setting({ env: 'TMS_CLIENT_SECRET', kind: 'secret', doc: 'Our client secret there' })
  tmsClientSecret?: string;

  @Setting({
    env: 'TMS_ALLOWED_TENANTS',
    kind: 'json',
    default: [],
    doc: 'Tenants of this site whose users may have keys made, as a JSON list',
  })
  tmsAllowedTenants!: string[];

  @Setting({
    env: 'GLOBUS_CLIENT_ID',
    kind: 'text',
    doc: 'Native app registered with Globus; without it nobody signs in there from here',
  })
  globusClientId?: string;

  @Setting({
    env: 'GLOBUS_AUTH_URL',
    kind: 'url',
    default: 'https://auth.globus.org',
    doc: 'Where Globus signs people in',
  })
  globusAuthUrl!: string;
}
