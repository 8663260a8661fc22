import { Injectable, type OnModuleDestroy, type Provider } from '@nestjs/common';
import { Transport } from '@libs/service-client';
import { Log } from '@libs/service-kit';
import { SecretVault } from '../store/secret-vault';
import { SecurityKernelSettings } from '../settings';
import { PostgresVault } from '../store/postgres-vault';
import { KvVault } from './kv-vault';
import { VaultServer } from './vault-server';

/** The connection to the vault server, if the settings name one; ends with the service. */
@Injectable()
class VaultConnection implements OnModuleDestroy {
  readonly server?: VaultServer;

  constructor(settings: SecurityKernelSettings, transport: Transport, log: Log) {
    if (settings.vaultUrl)
      this.server = new VaultServer(settings, transport, (err) =>
        log.error({ err }, 'the token of the vault could not be renewed'),
      );
  }

  onModuleDestroy(): void {
    this.server?.close();
  }
}

export const vaultServer: Provider = VaultConnection;

/** Secrets lie in PostgreSQL unless a vault server is named. */
export const secretVault: Provider = {
  provide: SecretVault,
  inject: [SecurityKernelSettings, VaultConnection, PostgresVault],
  useFactory: (
    { vaultMount }: SecurityKernelSettings,
    { server }: VaultConnection,
    postgres: PostgresVault,
  ) => (server ? new KvVault(server, vaultMount) : postgres),
};
