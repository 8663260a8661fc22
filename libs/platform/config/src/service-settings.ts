import { Setting } from './setting';

/** What every service of a site is told. Services add their own by extending this class. */
export class ServiceSettings {
  @Setting({
    env: 'PLATFORM_NAME',
    kind: 'text',
    default: 'svc',
    match: /^[a-z][a-z0-9]{0,19}$/,
    rule: 'must be lower-case letters and digits, a letter first, at most 20',
    doc: "The platform's own name: lower-case letters and digits",
  })
  platformName!: string;

  @Setting({
    env: 'SITE_ID',
    kind: 'text',
    default: 'primary',
    doc: 'The site this process serves',
  })
  siteId!: string;

  @Setting({
    env: 'DATABASE_URL',
    kind: 'url',
    secret: true,
    doc: 'The PostgreSQL server; the database name is derived from the service',
  })
  databaseUrl?: string;

  @Setting({
    env: 'AMQP_URL',
    kind: 'url',
    secret: true,
    doc: 'The RabbitMQ server; without it messages stay inside the process',
  })
  amqpUrl?: string;

  @Setting({ env: 'HOST', kind: 'text', default: '127.0.0.1', doc: 'Address to listen on' })
  host!: string;

  @Setting({
    env: 'PORT',
    kind: 'int',
    default: 3000,
    max: 65_535,
    doc: 'Port to listen on (0: a free one)',
  })
  port!: number;

  @Setting({
    env: 'LOG_LEVEL',
    kind: 'text',
    default: 'info',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    doc: 'Log lines below this level are dropped',
  })
  logLevel!: string;

  @Setting({
    env: 'LOG_FILE',
    kind: 'text',
    doc: 'Log lines are appended to this file; default: standard error',
  })
  logFile?: string;

  @Setting({
    env: 'INTERNAL_URL',
    kind: 'url',
    doc: "Where the site's listener is reached from inside; default: the tenants' own addresses",
  })
  internalUrl?: string;

  @Setting({
    env: 'PRIMARY_URL',
    kind: 'url',
    default: 'http://admin.localhost:3000',
    doc: "Base address of the primary site's administrative tenant",
  })
  primaryUrl!: string;

  @Setting({
    env: 'REGISTRY_FILE',
    kind: 'text',
    doc: 'File that keeps the list of sites and tenants, for a start while the primary site is away',
  })
  registryFile?: string;

  @Setting({
    env: 'SERVICE_PASSWORD',
    kind: 'secret',
    doc: 'With it the service gets its own tokens',
  })
  servicePassword?: string;

  @Setting({
    env: 'ALLOW_PRIVATE_ADDRESSES',
    kind: 'bool',
    default: false,
    doc: 'Outgoing HTTP may go to loopback, link-local and private addresses',
  })
  allowPrivateAddresses!: boolean;

  @Setting({
    env: 'ALLOW_LOOPBACK_ADDRESSES',
    kind: 'bool',
    default: false,
    doc: 'Outgoing HTTP may go to this machine itself, for a platform that is tried out on one machine',
  })
  allowLoopbackAddresses!: boolean;

  @Setting({
    env: 'BUILD_COMMIT',
    kind: 'text',
    default: 'unknown',
    doc: 'Commit of the running build',
  })
  buildCommit!: string;

  @Setting({ env: 'BUILD_NUMBER', kind: 'text', default: '0', doc: 'Number of the running build' })
  buildNumber!: string;

  @Setting({
    env: 'NODE_ENV',
    kind: 'text',
    default: 'development',
    doc: 'production refuses seeds',
  })
  nodeEnv!: string;
}
