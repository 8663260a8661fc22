import { createServer } from 'node:net';

/** True when nobody listens there and this process may. */
export async function isFree(host: string, port: number): Promise<boolean> {
  return (await listenOnce(host, port)) !== undefined;
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
