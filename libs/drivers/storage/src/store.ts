import type { Readable, Writable } from 'node:stream';
import type { HostAuth, HostPool } from '@libs/hosts';

export type EntryType = 'file' | 'dir' | 'symbolic_link' | 'other' | 'unknown';

/** One thing in a store. `path` is relative to the root, without a leading slash. */
export interface Entry {
  path: string;
  name: string;
  type: EntryType;
  size: number;
  lastModified: Date | null;
  owner: string | null;
  group: string | null;
  /** Nine characters, `rwxr-xr-x`. */
  nativePermissions: string | null;
  /** Anybody may execute it. */
  executable: boolean;
}

/** An entry met on a walk; `relative` is its path below where the walk began. */
export interface WalkEntry extends Entry {
  relative: string;
  /** False for a directory that was not looked into: the walk was too deep there, or it is a link not followed. */
  entered: boolean;
}

export interface WalkOptions {
  /** Links count as what they lead to; a dangling one, or one that leads into itself, is an error. Default false. */
  followLinks?: boolean;
  /** With `followLinks`: leave dangling links out instead of failing. */
  skipDangling?: boolean;
  /** Directories are entered while their depth is less; entries of the start have depth 0. Default 20. */
  maxDepth?: number;
}

export interface ReadRange {
  start?: number;
  /** Exclusive. */
  end?: number;
}

export interface ReadAnswer {
  stream: Readable;
  /** Bytes that will come, when known beforehand. */
  size: number | null;
}

export interface WriteOptions {
  /** Let the owner execute it. */
  executable?: boolean;
  /** Go on with what an earlier try left: bytes before this place are kept. */
  resumeAt?: number;
  /** Called now and then with the number of bytes that are safely stored. */
  onProgress?: (stored: number) => void;
  signal?: AbortSignal;
}

/** A tar stream being made or taken apart on a host; `done` settles when the host has finished. */
export interface Bundle<S extends Readable | Writable> {
  stream: S;
  done: Promise<void>;
  abort(): void;
}

export const CAPABILITIES = [
  'list',
  'walk',
  'stat',
  'read',
  'range',
  'write',
  'resume',
  'mkdir',
  'move',
  'copy',
  'remove',
  'native',
  'bundle',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/**
 * One store as one login sees it. Paths are normalised by the caller (`normalisePath`) and relative to the root.
 * What a type cannot do throws `StorageError('unsupported')`; look at `capabilities` first.
 */
export interface Store {
  readonly type: string;
  readonly capabilities: ReadonlySet<Capability>;
  /** Facts about one path; links are followed unless told otherwise. */
  stat(path: string, options?: { follow?: boolean }): Promise<Entry>;
  /** Where a path really leads, links resolved; what is not there yet keeps its name. */
  realPath(path: string): Promise<string>;
  /** What is in a directory, links not followed, in no order. Of a file: itself. */
  list(path: string): Promise<Entry[]>;
  /** Everything below a path, parents before their children, depth first. Of a file: itself, relative ''. */
  walk(path: string, options?: WalkOptions): AsyncIterable<WalkEntry>;
  read(path: string, range?: ReadRange): Promise<ReadAnswer>;
  /** Stores a stream, replacing what is there and making missing parents. Answers the size of the result. */
  write(path: string, source: Readable, options?: WriteOptions): Promise<number>;
  /**
   * As `write`, from a file of another store, where these two know a shorter way than a stream; undefined where they
   * do not. Trouble of the other store comes as `SourceFailed`.
   */
  pull?(
    from: Store,
    source: string,
    path: string,
    options?: WriteOptions,
  ): Promise<number> | undefined;
  /** With all missing parents; a directory that is there is fine. */
  mkdir(path: string): Promise<void>;
  /** Like `mv`: into a directory that is there, over a file that is there; links as links. Answers where it is now. */
  move(from: string, to: string): Promise<string>;
  /** Like `cp -r`: as move. */
  copy(from: string, to: string): Promise<string>;
  /** Recursive; links are removed, not followed. Of the root: its contents. */
  remove(path: string): Promise<void>;
}

/** Many files at once, for stores with the capability `bundle`. */
export interface BundleStore extends Store {
  /** True when this host has the tools for it, and below this path it cannot lead anybody out of the root. */
  canBundle(base: string): Promise<boolean>;
  mkdirs(paths: string[]): Promise<void>;
  /** These files (relative to `base`, links followed) as a tar stream. */
  bundleOut(base: string, files: string[]): Promise<Bundle<Readable>>;
  /** Unpacks a tar stream below `base`; overwrites files in place. */
  bundleIn(base: string): Promise<Bundle<Writable>>;
  /** Sizes of these paths below `base`; missing ones are left out. */
  sizes(base: string, files: string[]): Promise<Map<string, number>>;
  /** Which of these files below `base` cannot be read, or written: they would break the common stream. */
  refused(base: string, files: string[], to: 'read' | 'write'): Promise<Set<string>>;
}

export function isBundleStore(store: Store): store is BundleStore {
  return store.capabilities.has('bundle');
}

/** What a store needs to know to be reached; made from a system's definition by the services. */
export interface StoreAddress {
  systemId: string;
  host: string;
  port: number;
  /** Absolute, where paths begin. */
  rootDir: string;
  user: string;
  auth: HostAuth;
  hostKeys?: string[];
  onHostKey?: (fingerprint: string) => void | Promise<void>;
  /** Links may not lead out of the root: for whoever is not the system's owner. */
  jailed?: boolean;
}

export interface StoreContext {
  pool: HostPool;
}

/** One line of the registry: everything the platform asks about a type of store. */
export interface StorageType {
  type: string;
  authnMethods: readonly string[];
  /** `absolute`: required, begins with a slash. `prefix`: of keys, which begin with none. */
  rootDir: 'absolute' | 'optional' | 'prefix';
  /** How a credential is tried before it is stored; null when it cannot be. */
  credentialCheck: 'ssh' | 's3' | null;
  capabilities: ReadonlySet<Capability>;
  /** May be a place to transfer from, or to. */
  source: boolean;
  destination: boolean;
  /** Absent while only definitions of this type are kept. */
  connect?(address: StoreAddress, context: StoreContext): Store;
}
