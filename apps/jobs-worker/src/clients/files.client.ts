import { isApiError } from '@libs/envelope';
import type { JobRow } from '@libs/jobs-store';
import { path, ServiceClient } from '@libs/service-client';
import { Injectable } from '@nestjs/common';
import type { TransferElement } from '../domain/transfer-elements';

export interface Transfer {
  uuid: string;
  status: 'ACCEPTED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  errorMessage?: string | null;
}

/** The files service in the name of a job's owner. */
@Injectable()
export class FilesClient {
  constructor(private readonly client: ServiceClient) {}

  /** Asks for a transfer. The tag is its Idempotency-Key too: however often it is asked for, it is made once. */
  transfer(job: JobRow, tag: string, elements: TransferElement[]): Promise<Transfer> {
    const options = { body: { tag, elements }, idempotencyKey: tag };
    return this.calls(job).post('files', '/v3/files/transfers', options);
  }

  transferNow(job: JobRow, uuid: string): Promise<Transfer> {
    return this.calls(job).get('files', path`/v3/files/transfers/${uuid}`);
  }

  async cancelTransfer(job: JobRow, uuid: string): Promise<void> {
    await this.calls(job).delete('files', path`/v3/files/transfers/${uuid}`, { timeoutMs: 5_000 });
  }

  /** Makes a directory, where the kind of system has directories. */
  async makeDir(job: JobRow, systemId: string, dir: string, sharedCtx?: string): Promise<void> {
    try {
      const options = { body: { path: dir }, query: { sharedCtx } };
      await this.calls(job).post('files', path`/v3/files/ops/${systemId}`, options);
    } catch (error) {
      if (!isApiError(error, 501)) throw error;
    }
  }

  /** Takes a file from all but its owner and group. A store without modes, or a file that is not there, is fine. */
  async closeToOthers(job: JobRow, systemId: string, file: string, sharedCtx?: string) {
    const at = file.split('/').map(encodeURIComponent).join('/').replace(/^\/+/, '');
    try {
      const body = { operation: 'CHMOD', argument: 'o-rwx' };
      const url = `${path`/v3/files/utils/linux/${systemId}`}/${at}`;
      await this.calls(job).post('files', url, { body, query: { sharedCtx } });
    } catch (error) {
      if (!isApiError(error) || (error.status >= 500 && error.status !== 501)) throw error;
    }
  }

  private calls({ tenant, owner, trackingId }: JobRow) {
    return this.client.for({ tenant, user: owner, trackingId: trackingId ?? undefined });
  }
}
