import { lookup } from 'mime-types';
import { fileUri } from '@libs/files-access';
import type { Entry, EntryType } from '@libs/storage';

/** One line of a listing. */
export interface FileInfo {
  mimeType: string | null;
  type: EntryType;
  owner: string | null;
  group: string | null;
  nativePermissions: string | null;
  url: string;
  lastModified: string | null;
  name: string;
  path: string;
  size: number;
}

export function fileInfo(systemId: string, entry: Entry): FileInfo {
  const { type, owner, group, nativePermissions, name, path, size, lastModified } = entry;
  return {
    mimeType: type === 'file' ? lookup(name) || null : null,
    type,
    owner,
    group,
    nativePermissions,
    url: fileUri(systemId, path),
    lastModified: lastModified?.toISOString() ?? null,
    name,
    path,
    size,
  };
}
