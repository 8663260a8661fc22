import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Log } from '@libs/service-kit';
import { AuthenticatorSettings } from '../settings';
import { AttemptsStore } from '../store/attempts.store';
import { AuthEventsStore } from '../store/auth-events.store';
import { AuthorizationCodesStore } from '../store/authorization-codes.store';
import { DeviceCodesStore } from '../store/device-codes.store';
import { IssuedTokensStore } from '../store/issued-tokens.store';
import { KnownPlacesStore } from '../store/known-places.store';
import { ClientEndings } from './client-endings';

const CLEAN_MS = 600_000;
const END_MS = 10_000;

/** Forgets what is over, and ends what could not be ended when it was asked for. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly settings: AuthenticatorSettings,
    private readonly attempts: AttemptsStore,
    private readonly places: KnownPlacesStore,
    private readonly events: AuthEventsStore,
    private readonly codes: AuthorizationCodesStore,
    private readonly devices: DeviceCodesStore,
    private readonly issued: IssuedTokensStore,
    private readonly endings: ClientEndings,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    const every = (ms: number, work: () => Promise<void>) =>
      setInterval(() => void this.quietly(work), ms).unref();
    this.timers = [every(CLEAN_MS, () => this.clean()), every(END_MS, () => this.endings.endAll())];
  }

  onApplicationShutdown(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  async clean(): Promise<void> {
    await this.attempts.forgetOld(this.settings.lockSeconds);
    await this.places.forgetOlderThan(this.settings.auditDays);
    await this.events.forgetOlderThan(this.settings.auditDays);
    await this.codes.forgetOld();
    await this.devices.forgetOld();
    await this.issued.forgetOld();
  }

  private async quietly(work: () => Promise<void>): Promise<void> {
    await work().catch((err: unknown) => this.log.warn({ err }, 'could not tidy up'));
  }
}
