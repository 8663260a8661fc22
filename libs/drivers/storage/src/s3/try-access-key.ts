import { randomUUID } from 'node:crypto';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { endpointOf, type S3Address, s3Client } from './s3-client';

export interface KeyOutcome {
  kind: 'refused' | 'unreachable';
  text: string;
}

/** What the store's own codes mean to who typed the key in. */
const REFUSALS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket',
  InvalidAccessKeyId: 'the store does not know the access key',
  SignatureDoesNotMatch: 'the access secret does not belong to the access key',
  AccessDenied: 'the access key may not read there',
  Forbidden: 'the access key may not read there',
  PermanentRedirect: 'the bucket lies in another region: name it in host',
  AuthorizationHeaderMalformed: 'the bucket lies in another region: name it in host',
  RequestTimeTooSkewed: 'the clocks of store and platform differ too much',
};

/**
 * Reads an object that cannot be there: that the store says so proves the key. Undefined when the key is good. Asked
 * by GET, not HEAD: only then the store says which of its reasons it is.
 */
export async function tryAccessKey(
  address: S3Address & { rootDir: string },
  timeoutMs: number,
): Promise<KeyOutcome | undefined> {
  const client = s3Client(address, timeoutMs);
  const { host, bucketName, rootDir } = address;
  const prefix = rootDir.replace(/^\/+|\/+$/g, '');
  const Key = [prefix, `no-such-object-${randomUUID()}`].filter(Boolean).join('/');
  const where = `bucket "${bucketName}" at ${endpointOf(address) ?? host}`;
  const abortSignal = AbortSignal.timeout(timeoutMs);
  try {
    await client.send(new GetObjectCommand({ Bucket: bucketName, Key }), { abortSignal });
    return undefined;
  } catch (error) {
    const { name, message, $metadata } = error as Error & {
      $metadata?: { httpStatusCode?: number };
    };
    if (name === 'NoSuchKey' || name === 'NotFound') return undefined;
    const status = $metadata?.httpStatusCode;
    if (name in REFUSALS) return { kind: 'refused', text: `${where}: ${REFUSALS[name]}` };
    if (status && status < 500)
      return { kind: 'refused', text: `${where}: the store answered ${status} ${name}` };
    if (status) return { kind: 'unreachable', text: `${where}: the store answered ${status}` };
    const late = abortSignal.aborted ? `no answer within ${timeoutMs} ms` : message || name;
    return { kind: 'unreachable', text: `there is no connection to ${where}: ${late}` };
  } finally {
    client.destroy();
  }
}
