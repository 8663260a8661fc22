const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** One PostgreSQL for the whole run; each test file takes databases of its own on it (`freshDatabase()`). */
module.exports = async () => {
  if (process.env.TEST_DATABASE_URL) return;
  const {
    startEmbeddedPostgres,
  } = require('../../libs/platform/database/src/embedded-postgres.ts');
  const dir = mkdtempSync(join(tmpdir(), 'platform-test-postgres-'));
  const server = await startEmbeddedPostgres({ dir, durable: false });
  process.env.TEST_DATABASE_URL = server.url;
  globalThis.__testPostgres = { server, dir };
};
