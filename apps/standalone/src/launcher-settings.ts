import { ServiceSettings, Setting } from '@libs/config';

/** What whoever starts the whole platform may set; everything else the services need is made up by the launcher. */
export class LauncherSettings extends ServiceSettings {
  @Setting({
    env: 'DATA_DIR',
    kind: 'text',
    default: '.data',
    doc: 'Folder for the embedded database, the secrets, the local host and the logs',
  })
  dataDir!: string;

  @Setting({
    env: 'SITE_SERVICES',
    kind: 'text',
    default: 'authenticator,systems',
    doc: 'Associate sites (SITE_ID is not primary): services to run beside security and tokens; the primary serves the rest',
  })
  siteServices!: string;
}
