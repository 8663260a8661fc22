import { platform, setPlatformName } from '@libs/platform-name';
import { loadSettings, printSettings, ServiceSettings, Setting } from './index';

class Sample extends ServiceSettings {
  @Setting({ env: 'RETRIES', kind: 'int', default: 3, doc: 'How often to try' })
  retries!: number;

  @Setting({ env: 'MASTER_KEY', kind: 'secret', required: true, doc: 'Key of keys' })
  masterKey!: string;

  @Setting({ env: 'ACCOUNTS', kind: 'json', secret: true, doc: 'Accounts' })
  accounts?: Record<string, string>;
}

afterEach(() => setPlatformName('svc'));

it('reads each kind and fills defaults', () => {
  const settings = loadSettings(Sample, {
    MASTER_KEY: 'k',
    ACCOUNTS: '{"a":"b"}',
    ALLOW_PRIVATE_ADDRESSES: 'yes',
    PRIMARY_URL: 'http://admin.localhost:3000/',
    PORT: '0',
  });
  expect(settings).toMatchObject({
    retries: 3,
    masterKey: 'k',
    accounts: { a: 'b' },
    allowPrivateAddresses: true,
    primaryUrl: 'http://admin.localhost:3000',
    port: 0,
    siteId: 'primary',
  });
  expect(settings.databaseUrl).toBeUndefined();
});

it('lists everything wrong in one error and repeats no secret', () => {
  const wrong = {
    RETRIES: 'many',
    ACCOUNTS: '{hidden',
    PORT: '-',
    AMQP_URL: 'pass word',
    LOG_LEVEL: 'loud',
    PLATFORM_NAME: 'A B',
  };
  expect(() => loadSettings(Sample, wrong)).toThrow(/RETRIES[^]*MASTER_KEY|MASTER_KEY[^]*RETRIES/);
  try {
    loadSettings(Sample, wrong);
  } catch (error) {
    const { problems, message } = error as Error & { problems: string[] };
    expect(problems).toHaveLength(7);
    expect(message).not.toContain('hidden');
    expect(message).not.toContain('pass word');
  }
});

it.each(['-1', '65536', '3e3', '1.5'])('takes no port %s', (PORT) => {
  expect(() => loadSettings(ServiceSettings, { PORT })).toThrow(/PORT/);
});

it('sets the name of the platform', () => {
  loadSettings(ServiceSettings, { PLATFORM_NAME: 'acme' });
  expect(platform().header('Token')).toBe('X-Acme-Token');
});

it('prints a table with secrets masked', () => {
  const table = printSettings([Sample, ServiceSettings], { MASTER_KEY: 'topsecret', RETRIES: '5' });
  expect(table).toMatch(/RETRIES +int +5 +How often to try/);
  expect(table).toContain('********');
  expect(table).not.toContain('topsecret');
  expect(table.match(/PLATFORM_NAME/g)).toHaveLength(1);
});
