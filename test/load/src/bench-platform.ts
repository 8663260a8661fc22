import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@libs/database';
import { flow, PlatformProcess, TestHost } from '@libs/flows';

export interface BenchPlatform {
  platform: PlatformProcess;
  databaseUrl: string;
  say: ReturnType<typeof flow>;
  host: TestHost;
}

/** A platform in its own processes with a durable PostgreSQL beside it, one host and a user; all gone afterwards. */
export async function withPlatform(work: (bench: BenchPlatform) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  const server = await startEmbeddedPostgres({ dir });
  const host = await TestHost.start();
  let platform: PlatformProcess | undefined;
  try {
    platform = await PlatformProcess.start({
      env: { DATABASE_URL: server.url, LOG_LEVEL: 'warn' },
    });
    await work({ platform, host, databaseUrl: server.url, say: flow(platform) });
  } finally {
    await platform?.close();
    await host.close();
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
