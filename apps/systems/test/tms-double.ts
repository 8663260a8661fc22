import { createHash, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readPrivateKey } from '@libs/hosts';

const FIELDS = ['client_user_id', 'host', 'host_account', 'num_uses', 'ttl_minutes'];

/**
 * A Trust Manager server as far as keys are made there, after the request and response types of its public source
 * (`POST /v1/tms/pubkeys/creds`: three headers; 201, 400, 401, 403, 500; numbers in answers are texts).
 */
export class TmsDouble {
  readonly tenant = 'tms-tenant';
  readonly client = 'our-client';
  readonly secret = 'the-client-secret';
  readonly asked: Record<string, unknown>[] = [];
  fail?: 'no-delegation' | 'broken' | 'cut';
  /** Told each new public key. */
  onKey: (publicKey: string) => void = () => undefined;
  url = '';
  private server!: Server;

  static async start(): Promise<TmsDouble> {
    const double = new TmsDouble();
    double.server = createServer((request, response) => void double.answer(request, response));
    await new Promise<void>((resolve) => double.server.listen(0, '127.0.0.1', resolve));
    double.url = `http://127.0.0.1:${(double.server.address() as AddressInfo).port}`;
    return double;
  }

  /** Settings of the systems service. */
  env(...tenants: string[]): Record<string, string> {
    return {
      TMS_URL: this.url,
      TMS_TENANT: this.tenant,
      TMS_CLIENT_ID: this.client,
      TMS_CLIENT_SECRET: this.secret,
      TMS_ALLOWED_TENANTS: JSON.stringify(tenants),
    };
  }

  headers(): Record<string, string> {
    return {
      'X-TMS-TENANT': this.tenant,
      'X-TMS-CLIENT-ID': this.client,
      'X-TMS-CLIENT-SECRET': this.secret,
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (this.fail === 'cut') return void request.socket.destroy();
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(body));
    };
    const refuse = (status: number, text: string) =>
      send(status, { result_code: String(status), result_msg: text });
    if (request.method !== 'POST' || request.url !== '/v1/tms/pubkeys/creds')
      return refuse(404, 'not found');
    const given = Object.entries(this.headers()).map(
      ([name, value]) => [request.headers[name.toLowerCase()], value] as const,
    );
    if (given.some(([header]) => header === undefined)) return refuse(400, 'missing header');
    if (given.some(([header, value]) => header !== value)) return refuse(401, 'NOT AUTHORIZED');
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    if (FIELDS.some((field) => body[field] === undefined)) return refuse(400, 'missing field');
    if (this.fail === 'broken') return refuse(500, 'INTERNAL ERROR');
    if (this.fail === 'no-delegation')
      return refuse(403, 'Missing or expired dependency: delegations');
    this.asked.push(body);
    send(201, this.made(body));
  }

  private made({ num_uses }: Record<string, unknown>): object {
    const pair = generateKeyPairSync('ed25519');
    const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const { x } = pair.publicKey.export({ format: 'jwk' }) as { x: string };
    const blob = Buffer.concat(
      ['ssh-ed25519', Buffer.from(x, 'base64url')].map((part) => {
        const bytes = Buffer.from(part as string);
        const length = Buffer.alloc(4);
        length.writeUInt32BE(bytes.length);
        return Buffer.concat([length, bytes]);
      }),
    );
    const publicKey = `ssh-ed25519 ${blob.toString('base64')}`;
    this.onKey(publicKey);
    const digest = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '');
    const uses = Number(num_uses) < 0 ? '2147483647' : String(num_uses);
    return {
      result_code: '0',
      result_msg: 'success',
      private_key: readPrivateKey(pem).key,
      public_key: publicKey,
      public_key_fingerprint: `SHA256:${digest}`,
      key_type: 'ed25519',
      key_bits: '0',
      max_uses: uses,
      remaining_uses: uses,
      expires_at: '+262142-12-31T23:59:59Z',
    };
  }
}
