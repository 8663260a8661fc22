import type { Caller } from '@libs/auth';
import { isApiError, RangeNotSatisfiable } from '@libs/envelope';
import { JOB_STATES } from '@libs/jobs-model';
import type { Job } from '@libs/jobs-store';
import type { HttpAnswer } from '@libs/service-client';
import { Injectable } from '@nestjs/common';
import { type FileItem, FilesClient } from '../clients/files.client';
import { outputPath } from '../domain/output-place';
import { JobAccess } from './job-access';

export interface Download {
  /** Name to save as. */
  name: string;
  answer: HttpAnswer;
  /** The job has ended: nothing will change any more. */
  settled: boolean;
}

/** The most entries that one listing answers. */
const MAX_LISTED = 10_000;
const trimmed = (path: string) => path.replace(/^\/+|\/+$/g, '');

/** A job's outputs, read through the files service in the name of the job's owner. */
@Injectable()
export class OutputActions {
  constructor(
    private readonly access: JobAccess,
    private readonly files: FilesClient,
  ) {}

  async list(
    caller: Caller,
    uuid: string,
    path: string,
    page: { limit?: number; skip: number; recurse: boolean; allowIfRunning: boolean },
  ): Promise<FileItem[]> {
    const job = await this.access.toRead(caller, uuid, 'JOB_OUTPUT');
    const place = outputPath(job, path, page.allowIfRunning);
    const limit = page.limit === undefined || page.limit < 0 ? MAX_LISTED : page.limit;
    const { recurse, skip: offset } = page;
    return limit ? this.files.list(ownerOf(job), place, { recurse, offset, limit }) : [];
  }

  /** One file as it is, a directory or (with `compress`) a file as a zip; undefined for an empty directory. */
  async download(
    caller: Caller,
    uuid: string,
    path: string,
    options: {
      compress: boolean;
      allowIfRunning: boolean;
      signal: AbortSignal;
      /** Headers `Range` and `If-Range`. */
      range: Record<string, string>;
    },
  ): Promise<Download | undefined> {
    const job = await this.access.toRead(caller, uuid, 'JOB_OUTPUT');
    const place = outputPath(job, path, options.allowIfRunning);
    const owner = ownerOf(job);
    const [item] = await this.files.list(owner, place, { limit: 1 });
    if (!item) return undefined;
    const isFile = trimmed(item.path) === trimmed(place.dir) && item.type !== 'dir';
    const zip = !isFile || options.compress;
    const { signal, range } = options;
    const answer = await this.files
      .content(owner, place, { zip, signal, headers: zip ? {} : range })
      .catch((error) => {
        if (!isApiError(error, 416)) throw error;
        throw new RangeNotSatisfiable(error.code, error.text, item.size);
      });
    const name = trimmed(path).split('/').at(-1) || `job-${uuid}`;
    const settled = JOB_STATES.isTerminal(job.status);
    return { name: zip ? `${name}.zip` : name, answer, settled };
  }
}

const ownerOf = ({ tenant, owner }: Job) => ({ tenant, user: owner });
