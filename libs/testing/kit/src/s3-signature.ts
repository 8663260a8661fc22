import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface SignedRequest {
  method: string;
  /** Path and query as they were sent. */
  url: string;
  headers: IncomingHttpHeaders;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request,\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** Whether AWS Signature Version 4 in the headers was made with this secret. What is not signed so is not judged. */
export function isSignedWith(secret: string, request: SignedRequest): boolean {
  const found = AUTHORIZATION.exec(request.headers.authorization ?? '');
  if (!found) return true;
  const [, , day, region, service, signed, signature] = found as unknown as string[];
  const [path, query = ''] = request.url.split('?');
  const names = signed!.split(';');
  const text = (name: string) =>
    String(request.headers[name] ?? '')
      .trim()
      .replace(/ +/g, ' ');
  const canonical = [
    request.method,
    path,
    query.split('&').filter(Boolean).map((one) => (one.includes('=') ? one : `${one}=`)).sort().join('&'),
    ...names.map((name) => `${name}:${text(name)}`),
    '',
    signed,
    text('x-amz-content-sha256'),
  ].join('\n'); // prettier-ignore
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', text('x-amz-date'), scope, sha256(canonical)].join('\n');
  const key = [day!, region!, service!, 'aws4_request'].reduce<Buffer | string>(
    hmac,
    `AWS4${secret}`,
  );
  return hmac(key, toSign).toString('hex') === signature;
}
