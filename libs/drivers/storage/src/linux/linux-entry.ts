import type { SftpAttributes } from '@libs/hosts';
import { nameOf } from '../paths';
import type { Entry, EntryType } from '../store';

const TYPES: Record<number, EntryType> = {
  0o100000: 'file',
  0o040000: 'dir',
  0o120000: 'symbolic_link',
  0o010000: 'other',
  0o020000: 'other',
  0o060000: 'other',
  0o140000: 'other',
};

export interface Facts {
  mode: number;
  uid: number;
  gid: number;
  size: number;
  mtime: number;
}

export function entryOf(path: string, facts: Facts | SftpAttributes): Entry {
  return {
    path,
    name: nameOf(path),
    type: typeOfMode(facts.mode),
    size: facts.size,
    lastModified: new Date(Math.trunc(facts.mtime * 1000)),
    owner: String(facts.uid),
    group: String(facts.gid),
    nativePermissions: permissionsOf(facts.mode),
    executable: (facts.mode & 0o111) !== 0,
  };
}

export function typeOfMode(mode: number): EntryType {
  return TYPES[mode & 0o170000] ?? 'unknown';
}

/** As `ls -l` shows them, without the letter of the type. */
export function permissionsOf(mode: number): string {
  const special = [0o4000, 0o2000, 0o1000];
  return [6, 3, 0]
    .map((shift, i) => {
      const bits = (mode >> shift) & 7;
      const letter = i === 2 ? 't' : 's';
      let x = bits & 1 ? 'x' : '-';
      if (mode & special[i]!) x = bits & 1 ? letter : letter.toUpperCase();
      return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${x}`;
    })
    .join('');
}
