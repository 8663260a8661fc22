import { Injectable } from '@nestjs/common';
import { BadInput } from '@libs/envelope';
import { tryAccessKey } from '@libs/storage';
import type { StoredCredential } from '../domain/credential';
import { SystemsSettings } from '../settings';

export interface Bucket {
  id: string;
  host: string;
  port: number;
  bucketName?: string;
  rootDir: string;
}

const CODES = {
  refused: 'SYSAPI_CRED_VALID_FAIL',
  unreachable: 'SYSAPI_CRED_CONN_FAIL',
} as const;

/** Real requests to object stores, to try access keys. */
@Injectable()
export class StoreCheck {
  constructor(private readonly settings: SystemsSettings) {}

  async tryAccessKey(
    { id, host, port, bucketName = '', rootDir }: Bucket,
    { accessKey = '', accessSecret = '' }: StoredCredential,
  ): Promise<void> {
    const outcome = await tryAccessKey(
      { host, port, bucketName, rootDir, accessKey, accessSecret },
      this.settings.connectSeconds * 1000,
    );
    if (outcome) throw new BadInput(CODES[outcome.kind], `System "${id}": ${outcome.text}.`);
  }
}
