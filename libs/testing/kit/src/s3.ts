import { mkdtempSync, rmSync } from 'node:fs';
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSignedWith } from './s3-signature';

/** What is used of s3rver, which has no types. */
interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

/**
 * An S3 server of its own on a free loopback port: s3rver, behind a gate that looks at signatures, since s3rver takes
 * every one of version 4 for good.
 */
export class S3 {
  /** As the host of a system: no TLS here. */
  readonly host = 'http://127.0.0.1';
  readonly accessKey = 'S3RVER';
  readonly accessSecret = 'S3RVER';
  port = 0;
  private gate!: Server;

  private constructor(
    private readonly behind: number,
    private readonly server: S3rver,
    private readonly folder: string,
  ) {}

  static async start(...buckets: string[]): Promise<S3> {
    const { default: Server } = (await import('s3rver' as string)) as {
      default: new (options: object) => S3rver;
    };
    const folder = mkdtempSync(join(tmpdir(), 's3-'));
    const server = new Server({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: buckets.map((name) => ({ name })),
    });
    const s3 = new S3((await server.run()).port, server, folder);
    s3.gate = createServer((request, response) => s3.pass(request, response));
    await new Promise<void>((resolve) => s3.gate.listen(0, '127.0.0.1', resolve));
    s3.port = (s3.gate.address() as AddressInfo).port;
    return s3;
  }

  async close(): Promise<void> {
    this.gate.closeAllConnections();
    await new Promise((resolve) => this.gate.close(resolve));
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private pass(incoming: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = incoming;
    const known = headers.authorization?.includes(`Credential=${this.accessKey}/`);
    if (known && !isSignedWith(this.accessSecret, { method, url, headers })) {
      incoming.resume();
      response.writeHead(403, { 'content-type': 'application/xml' });
      response.end(
        '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>',
      );
      return;
    }
    const onward = forward({ host: '127.0.0.1', port: this.behind, method, path: url, headers });
    onward.on('error', () => response.destroy());
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  }
}
