import { S3Client } from '@aws-sdk/client-s3';

/** What it takes to ask a bucket. */
export interface S3Address {
  /** Name of the host; `http://` or `https://` (the default) may stand before it. */
  host: string;
  port: number;
  bucketName: string;
  accessKey: string;
  accessSecret: string;
}

const AWS = /(^|\.)amazonaws\.com(\.cn)?$/;
/** `s3.eu-west-1.amazonaws.com`, `s3-eu-west-1.amazonaws.com`, with or without a bucket before it. */
const REGION = /(?:^|[./])s3[.-](?:dualstack\.)?([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com/;

/** The region that the host of an AWS bucket names; elsewhere it means nothing and is AWS's usual one. */
export const regionOf = (host: string): string => REGION.exec(host)?.[1] ?? 'us-east-1';

/** Where an S3 service answers that is not Amazon's; undefined for Amazon's own. */
export function endpointOf({ host, port }: { host: string; port: number }): string | undefined {
  const [, scheme = 'https', name] = /^(?:(https?):\/\/)?(.*)$/.exec(host)!;
  if (AWS.test(name!)) return undefined;
  return `${scheme}://${name}${port > 0 ? `:${port}` : ''}`;
}

/** A client for one bucket and one key. To be destroyed. */
export function s3Client(address: S3Address, timeoutMs: number): S3Client {
  const { host, accessKey, accessSecret } = address;
  const endpoint = endpointOf(address);
  return new S3Client({
    region: regionOf(host),
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    credentials: { accessKeyId: accessKey, secretAccessKey: accessSecret },
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
    },
  });
}
