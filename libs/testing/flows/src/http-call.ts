import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** A request as it goes over the wire: the path is sent byte for byte, so hostile ones arrive as they are written. */
export interface Call {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

export interface Listener {
  port: number;
  agent?: Agent;
}

/** Sends and answers as soon as the headers are there. */
export function open({ port, agent }: Listener, call: Call): Promise<IncomingMessage> {
  const { method, path, headers, body } = call;
  return new Promise((done, failed) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = request(
      { host: '127.0.0.1', port, agent, method, path, headers: { ...length, ...headers } },
      done,
    );
    outgoing.once('error', failed);
    outgoing.end(body);
  });
}

export async function send(listener: Listener, call: Call): Promise<Answer> {
  const response = await open(listener, call);
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    bytes: Buffer.concat(parts),
  };
}
