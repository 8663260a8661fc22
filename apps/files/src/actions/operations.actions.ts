import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type AccessQuestion, type Need } from '@libs/files-access';
import { type Capability, type Entry, MAX_DEPTH, type Store, type WalkEntry } from '@libs/storage';
import { Stores } from '../clients/stores';
import { fileInfo, type FileInfo } from '../domain/file-info';
import { inListingOrder } from '../domain/listing-order';
import { matchingNames } from '../domain/name-pattern';
import type { Acting } from './acting';
import { PathRights } from './path-rights';

export interface Place {
  systemId: string;
  /** Normalised, relative to the root. */
  path: string;
}

export interface Listing {
  limit: number;
  offset: number;
  recurse: boolean;
  pattern: string;
}

/** List, upload, mkdir, move, copy, delete. */
@Injectable()
export class OperationsActions {
  constructor(
    private readonly stores: Stores,
    private readonly rights: PathRights,
  ) {}

  list(who: Acting, place: Place, asked: Listing): Promise<FileInfo[]> {
    const { limit, offset, recurse, pattern } = asked;
    return this.on(who, place, 'READ', recurse ? 'walk' : 'list', async (store) => {
      const entries = recurse ? await everything(store, place.path) : await store.list(place.path);
      const names = entries.map((entry) => entry.name);
      const picked = matchingNames(pattern, names);
      return inListingOrder(entries.filter((_, i) => picked[i]))
        .slice(offset, offset + limit)
        .map((entry) => fileInfo(place.systemId, entry));
    });
  }

  upload(who: Acting, place: Place, content: Readable): Promise<number> {
    return this.on(who, place, 'MODIFY', 'write', (store) => store.write(place.path, content));
  }

  mkdir(who: Acting, place: Place): Promise<void> {
    return this.on(who, place, 'MODIFY', 'mkdir', (store) => store.mkdir(place.path));
  }

  async move(who: Acting, place: Place, newPath: string): Promise<void> {
    const both = { ...place, paths: [place.path, newPath] };
    const target = await this.on(who, both, 'MODIFY', 'move', (s) => s.move(place.path, newPath));
    await this.rights.moved(who.actor, place, target);
  }

  copy(who: Acting, place: Place, newPath: string): Promise<string> {
    const questions = [
      this.question(who, place.systemId, [place.path], 'READ'),
      this.question(who, place.systemId, [newPath], 'MODIFY'),
    ];
    return this.stores.use(questions, 'copy', (store) => store.copy(place.path, newPath));
  }

  async remove(who: Acting, place: Place): Promise<void> {
    await this.on(who, place, 'MODIFY', 'remove', (store) => store.remove(place.path));
    await this.rights.removed(who.actor, place);
  }

  private on<T>(
    who: Acting,
    place: Place & { paths?: string[] },
    need: Need,
    capability: Capability,
    work: (store: Store) => Promise<T>,
  ): Promise<T> {
    const question = this.question(who, place.systemId, place.paths ?? [place.path], need);
    return this.stores.use(question, capability, work);
  }

  private question(who: Acting, systemId: string, paths: string[], need: Need): AccessQuestion {
    return { ...who, systemId, paths, need };
  }
}

async function everything(store: Store, path: string): Promise<Entry[]> {
  const all: WalkEntry[] = [];
  for await (const entry of store.walk(path, { maxDepth: MAX_DEPTH })) all.push(entry);
  return all;
}
