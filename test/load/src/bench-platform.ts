import { flow, ownPostgres, PlatformProcess, TestHost } from '@libs/flows';

export interface BenchPlatform {
  platform: PlatformProcess;
  databaseUrl: string;
  say: ReturnType<typeof flow>;
  host: TestHost;
}

/** A platform in its own processes with a durable PostgreSQL beside it, one host and a user; all gone afterwards. */
export async function withPlatform(
  work: (bench: BenchPlatform) => Promise<void>,
  sshd?: Parameters<typeof TestHost.start>[0],
): Promise<void> {
  const postgres = await ownPostgres();
  const host = await TestHost.start(sshd);
  const env = { DATABASE_URL: postgres.url, LOG_LEVEL: 'warn' };
  let platform: PlatformProcess | undefined;
  try {
    platform = await PlatformProcess.start({ env });
    await work({ platform, host, databaseUrl: postgres.url, say: flow(platform) });
  } finally {
    await platform?.close();
    await host.close();
    await postgres.stop();
  }
}
