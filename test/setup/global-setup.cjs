const { mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const PREFIX = 'platform-test-postgres-';

/** One PostgreSQL for the whole run; each test file takes databases of its own on it (`freshDatabase()`). */
module.exports = async () => {
  if (process.env.TEST_DATABASE_URL) return;
  const {
    startEmbeddedPostgres,
  } = require('../../libs/platform/database/src/embedded-postgres.ts');
  const { isAlive } = require('../../libs/platform/database/src/embedded/processes.ts');
  removeLeftovers(isAlive);
  const dir = mkdtempSync(join(tmpdir(), PREFIX));
  const server = await startEmbeddedPostgres({ dir, durable: false });
  process.env.TEST_DATABASE_URL = server.url;
  globalThis.__testPostgres = { server, dir };
};

/** Folders of runs that were killed: their server ended with them. */
function removeLeftovers(isAlive) {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const dir = join(tmpdir(), name);
    try {
      const pid = Number(readFileSync(join(dir, 'owner'), 'utf8').split(' ')[0]);
      if (!isAlive(pid)) rmSync(dir, { recursive: true, force: true });
    } catch {
      // just made by a run that is starting
    }
  }
}
