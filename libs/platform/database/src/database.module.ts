import {
  Inject,
  Module,
  type DynamicModule,
  type NestModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ServiceSettings } from '@libs/config';
import { MessageBus, MessagingModule } from '@libs/messaging';
import { Database, type DatabaseOptions } from './database';
import { Idempotency } from './idempotency';
import { Outbox } from './outbox';
import { OutboxRelay } from './outbox-relay';
import { makePostsRepeatable } from './repeatable-posts';

export interface DatabaseModuleOptions extends DatabaseOptions {
  /** The service publishes through its outbox: brings the bus and the relay. */
  outbox?: boolean;
}

const RELAY = Symbol('outbox relay');
const HOUR = 3_600_000;

const outboxProviders: Provider[] = [
  {
    provide: OutboxRelay,
    inject: [Database, MessageBus],
    useFactory: (database: Database, bus: MessageBus) => new OutboxRelay(database, bus),
  },
  { provide: RELAY, useExisting: OutboxRelay },
  {
    provide: Outbox,
    inject: [Database, OutboxRelay],
    useFactory: (database: Database, relay: OutboxRelay) => new Outbox(database, relay),
  },
];

/** `Database` and `Idempotency`, with `outbox` also `Outbox`, for every module of the service. */
@Module({})
export class DatabaseModule implements NestModule, OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Idempotency) private readonly idempotency: Idempotency,
    @Inject(RELAY) private readonly relay: OutboxRelay | null,
    private readonly modules: ModulesContainer,
  ) {}

  static for({ outbox, ...options }: DatabaseModuleOptions): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: outbox ? [MessagingModule] : [],
      providers: [
        {
          provide: Database,
          inject: [ServiceSettings],
          useFactory: ({ databaseUrl }: ServiceSettings) => {
            if (!databaseUrl)
              throw new Error(
                `DATABASE_URL is not set: the ${options.service} service needs PostgreSQL`,
              );
            return Database.open(databaseUrl, options);
          },
        },
        {
          provide: Idempotency,
          inject: [Database],
          useFactory: (database: Database) => new Idempotency(database),
        },
        ...(outbox ? outboxProviders : [{ provide: RELAY, useValue: null }]),
      ],
      exports: [Database, Idempotency, ...(outbox ? [Outbox, MessagingModule] : [])],
    };
  }

  /** The one hook before routes are made. */
  configure(): void {
    makePostsRepeatable(this.modules, this.idempotency);
  }

  onApplicationBootstrap(): void {
    this.relay?.start();
    const forget = () => void this.idempotency.forgetOld().catch(() => undefined);
    forget();
    this.timer = setInterval(forget, HOUR).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.relay?.stop();
    await this.database.close();
  }
}
