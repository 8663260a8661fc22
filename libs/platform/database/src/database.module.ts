import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { ServiceSettings } from '@libs/config';
import { MessageBus, MessagingModule } from '@libs/messaging';
import { Database, type DatabaseOptions } from './database';
import { Idempotency } from './idempotency';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { Outbox } from './outbox';
import { OutboxRelay } from './outbox-relay';

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
export class DatabaseModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Idempotency) private readonly idempotency: Idempotency,
    @Inject(RELAY) private readonly relay: OutboxRelay | null,
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
        { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
        ...(outbox ? outboxProviders : [{ provide: RELAY, useValue: null }]),
      ],
      exports: [Database, Idempotency, ...(outbox ? [Outbox, MessagingModule] : [])],
    };
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
