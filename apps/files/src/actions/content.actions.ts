import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { BadInput } from '@libs/envelope';
import {
  type Entry,
  isStorageError,
  nameOf,
  normalisePath,
  type Store,
  type WalkEntry,
} from '@libs/storage';
import { Stores } from '../clients/stores';
import { etagOf } from '@libs/service-kit';
import {
  byteRange,
  type ByteRange,
  type RangeRequest,
  type Validators,
} from '../domain/byte-range';
import { type ZipPart, zipStream } from '../domain/zip-stream';
import type { Acting } from './acting';
import type { Place } from './operations.actions';

export interface Content {
  stream: Readable;
  name: string;
  size: number;
  range: ByteRange;
  validators: Validators;
}

/** Bytes of files, and of directories as a zip. Whoever gets a stream reads or destroys it. */
@Injectable()
export class ContentActions {
  constructor(private readonly stores: Stores) {}

  file(who: Acting, place: Place, asked: RangeRequest): Promise<Content> {
    const question = {
      ...who,
      systemId: place.systemId,
      paths: [place.path],
      need: 'READ' as const,
    };
    return this.stores.use(question, 'read', async (store) => {
      const entry = await store.stat(place.path);
      if (entry.type === 'dir') {
        throw new BadInput(
          'FILES_CONT_DIR_NOZIP',
          `/${place.path} is a directory: ask for it with zip=true`,
        );
      }
      const validators = validatorsOf(entry);
      const range = byteRange(asked, entry.size, validators);
      const { stream } = await store.read(place.path, { start: range.start, end: range.end });
      const name = nameOf(place.path) || 'systemRoot';
      return { stream, range, validators, size: entry.size, name };
    });
  }

  /** `inside`: the names in the zip begin below the directory, not with its own name. */
  zip(who: Acting, place: Place, inside: boolean): Promise<{ stream: Readable; name: string }> {
    const { systemId, path } = place;
    const question = { ...who, systemId, paths: [path], need: 'READ' as const };
    return this.stores.use(question, 'walk', async (store, rootDir) => {
      if (path === '' && normalisePath(rootDir) === '') {
        throw new BadInput(
          'FILES_CONT_NOZIP',
          `a zip of everything on the host of system ${systemId} is refused`,
        );
      }
      const own = nameOf(path);
      const entry = await store.stat(path);
      const parts: ZipPart[] = [];
      if (entry.type !== 'dir') {
        parts.push({ name: own, entry: { ...entry, relative: '', entered: false } });
      } else {
        const prefix = inside || own === '' ? '' : `${own}/`;
        if (prefix) parts.push({ name: prefix, entry: { ...entry, relative: '', entered: true } });
        for (const below of await tree(store, path)) {
          const tail = below.type === 'dir' ? '/' : '';
          parts.push({ name: `${prefix}${below.relative}${tail}`, entry: below });
        }
      }
      // What cannot be reached would break the stream when nobody can be told why any more.
      for (const { name, entry } of parts)
        if (name.includes('\uFFFD')) await store.stat(entry.path);
      const open = async (file: string) => (await store.read(file)).stream;
      return { stream: zipStream(parts, open), name: own || 'systemRoot' };
    });
  }
}

/** Size and time of the last change, as web servers do it; nothing where the store does not know the time. */
function validatorsOf({ size, lastModified }: Entry): Validators {
  if (!lastModified) return {};
  const etag = `"${etagOf(size, lastModified.getTime())}"`;
  return { etag, lastModified: lastModified.toUTCString() };
}

async function tree(store: Store, path: string): Promise<WalkEntry[]> {
  const all: WalkEntry[] = [];
  try {
    const options = { followLinks: true, skipDangling: true };
    for await (const entry of store.walk(path, options)) all.push(entry);
  } catch (error) {
    if (isStorageError(error, 'failed')) throw new BadInput('FILES_CONT_NOZIP', error.message);
    throw error;
  }
  return all;
}
