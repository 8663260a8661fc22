import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  type Actor,
  FileAccess,
  type FileUri,
  type Need,
  parseFileUri,
  storeAddress,
  SystemsClient,
} from '@libs/files-access';
import { ApiError, BadInput } from '@libs/envelope';
import { sharedHostPool } from '@libs/hosts';
import {
  connectStore,
  HttpSource,
  normalisePath,
  type Store,
  type StorePlace,
  storeProblem,
} from '@libs/storage';
import type { ParentRow } from '@libs/transfers-store';
import { TransfersWorkerSettings } from '../settings';

/** One end of an element that is a path of a system. */
export class StoreEnd {
  constructor(
    readonly store: Store,
    readonly path: string,
    /** The URI ends in a slash. */
    readonly folder: boolean,
    readonly place: StorePlace,
    /** Equal for two ends only if they are the same host, login and root. */
    readonly host: string,
    readonly rootDir: string,
  ) {}

  /** Works with the store; what goes wrong names this end. */
  async on<T>(work: (store: Store) => Promise<T>): Promise<T> {
    try {
      return await work(this.store);
    } catch (error) {
      throw this.problem(error);
    }
  }

  problem(error: unknown): unknown {
    return storeProblem(error, this.place);
  }
}

export interface BothEnds {
  /** A URL when the source is a web server. */
  source: StoreEnd | string;
  destination: StoreEnd;
}

/** Opens the two ends of an element, with the rights of its user checked anew. */
@Injectable()
export class Ends implements OnApplicationShutdown {
  readonly http: HttpSource;
  private readonly hosts = sharedHostPool();

  constructor(
    private readonly access: FileAccess,
    private readonly systems: SystemsClient,
    settings: TransfersWorkerSettings,
  ) {
    this.http = new HttpSource(settings);
  }

  async open(parent: ParentRow): Promise<BothEnds> {
    const source = uri(parent.sourceUri);
    const destination = uri(parent.destinationUri);
    if (destination.kind === 'http') throw new BadInput('FILES_TXFR_URI', 'cannot store there');
    const need = parent.transferType === 'TRANSFER' ? 'READ' : 'MODIFY';
    return {
      source:
        source.kind === 'http'
          ? source.url
          : await this.end(parent, source, need, parent.srcSharedCtx),
      destination: await this.end(parent, destination, 'MODIFY', parent.destSharedCtx),
    };
  }

  /** Forgets what is known of the systems of an element: a login was refused. */
  forget(parent: ParentRow): void {
    for (const text of [parent.sourceUri, parent.destinationUri]) {
      const parsed = uri(text);
      if (parsed.kind === 'system') this.systems.forget(actorOf(parent), parsed.systemId);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
    await this.hosts.release();
  }

  private async end(
    parent: ParentRow,
    { systemId, path: raw, folder }: FileUri & { kind: 'system' },
    need: Need,
    sharedCtx: string | null,
  ): Promise<StoreEnd> {
    const actor = actorOf(parent);
    const path = normalisePath(raw);
    const question = { actor, systemId, paths: [path], need, sharedCtx };
    const { system, jailed } = await this.access.require(question);
    const address = storeAddress(actor, system, jailed);
    const onHostKey = (key: string) => this.systems.pinHostKey(actor, systemId, key);
    const place = { tenant: actor.tenant, systemId };
    const { pool } = this.hosts;
    try {
      const store = connectStore(system.systemType, { ...address, onHostKey }, { pool });
      const host = `${address.host}:${address.port}`;
      return new StoreEnd(store, path, folder, place, host, address.rootDir);
    } catch (error) {
      throw storeProblem(error, place);
    }
  }
}

export const actorOf = ({ tenant, username }: ParentRow): Actor => ({ tenant, user: username });

function uri(text: string): FileUri {
  const parsed = parseFileUri(text);
  if (typeof parsed === 'string') throw new ApiError(400, 'FILES_TXFR_URI', `${text} ${parsed}`);
  return parsed;
}
