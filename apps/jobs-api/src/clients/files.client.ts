import { type HttpAnswer, type OnBehalfOf, path, ServiceClient } from '@libs/service-client';
import { Injectable } from '@nestjs/common';

export interface FileItem {
  name: string;
  path: string;
  type: string;
  size: number;
  [attribute: string]: unknown;
}

export interface Place {
  systemId: string;
  /** Relative to the system's rootDir. */
  dir: string;
  /** Who shared the app that the place comes from: their right to it counts. */
  sharedBy?: string;
}

/** The longest page of the files service. */
const PAGE = 1000;

/** Each segment is encoded, slashes stay. */
const encoded = (dir: string) =>
  dir.split('/').map(encodeURIComponent).join('/').replace(/^\/+/, '');

/** The files service, acting for the owner of a job. */
@Injectable()
export class FilesClient {
  constructor(private readonly client: ServiceClient) {}

  async makeDir(
    owner: OnBehalfOf,
    { systemId, dir, sharedBy }: Place,
    timeoutMs: number,
  ): Promise<void> {
    const options = { body: { path: dir }, query: { sharedCtx: sharedBy }, timeoutMs };
    await this.client.for(owner).post('files', path`/v3/files/ops/${systemId}`, options);
  }

  /** A directory's entries, or the one entry of a file; with `recurse` the whole subtree. */
  async list(
    owner: OnBehalfOf,
    { systemId, dir, sharedBy }: Place,
    { recurse = false, offset = 0, limit }: { recurse?: boolean; offset?: number; limit: number },
  ): Promise<FileItem[]> {
    const url = `${path`/v3/files/ops/${systemId}`}/${encoded(dir)}`;
    const items: FileItem[] = [];
    while (items.length < limit) {
      const page = Math.min(PAGE, limit - items.length);
      const query = {
        recurse,
        offset: offset + items.length,
        limit: page,
        sharedCtx: sharedBy,
      };
      const some = await this.client.for(owner).get<FileItem[]>('files', url, { query });
      items.push(...some);
      if (some.length < page) break;
    }
    return items;
  }

  /** A file's bytes, or a zip of a directory, as they come. The caller reads or destroys the body. */
  content(
    owner: OnBehalfOf,
    { systemId, dir, sharedBy }: Place,
    {
      zip,
      signal,
      headers,
    }: { zip: boolean; signal: AbortSignal; headers: Record<string, string> },
  ): Promise<HttpAnswer> {
    const url = `${path`/v3/files/content/${systemId}`}/${encoded(dir)}`;
    const options = { query: { zip: zip || undefined, sharedCtx: sharedBy }, signal, headers };
    return this.client.for(owner).stream('files', url, options);
  }
}
