import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  server: Server;
  host: string;
  port: number;
  url: string;
  /** Stops accepting, lets running requests end for `graceMs`, then cuts them. */
  close(graceMs?: number): Promise<void>;
}

/** A listener, or one clear line that names the setting when the port is taken. */
export async function listen(
  handler: RequestListener,
  host: string,
  port: number,
): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0 }, handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, host, port)));
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    server,
    host,
    port: actual,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    close: (graceMs = 2_000) => closeServer(server, graceMs),
  };
}

function explained(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is taken: choose another one with the setting PORT`);
  if (error.code === 'EACCES')
    return new Error(`Port ${port} may not be used by this user: choose another one with PORT`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Error(`${host} is not an address of this machine: mend the setting HOST`);
  return error;
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // Connections that fall idle after their last answer would otherwise hold the server open.
    const idle = setInterval(() => server.closeIdleConnections(), 25);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(cut);
      resolve();
    });
  });
}
