import { randomBytes } from 'node:crypto';

/** URL of the PostgreSQL server that the test run has started. */
export function postgres(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url)
    throw new Error(
      'no PostgreSQL: this test belongs under <project>/test, where the run starts one',
    );
  return url;
}

/**
 * A DATABASE_URL for services under test: databases made through it carry a random prefix, so nobody else's rows are
 * in them. They go away with the server.
 */
export function freshDatabase(): string {
  const url = new URL(postgres());
  url.pathname = `/t_${randomBytes(6).toString('hex')}`;
  return url.toString();
}
