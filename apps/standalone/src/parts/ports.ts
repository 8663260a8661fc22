import { createServer } from 'node:net';
import { Problem } from '../problem';

/** Settles the port of the listener (0 becomes a free one) before anything is started that would have to be ended. */
export async function claimPort(settings: { host: string; port: number }): Promise<void> {
  const { host, port } = settings;
  const found = await listenOnce(host, port);
  if (found === undefined)
    throw new Problem(`Port ${port} on ${host} is taken: set PORT (or HOST) to another one.`);
  settings.port = found;
}

/** A port nobody listens on at this moment; the preferred one if it is free. */
export async function freePort(host: string, preferred = 0): Promise<number> {
  const found = (await listenOnce(host, preferred)) ?? (await listenOnce(host, 0));
  if (found === undefined) throw new Error(`No free port on ${host}`);
  return found;
}

function listenOnce(host: string, port: number): Promise<number | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(undefined));
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : undefined));
    });
  });
}
