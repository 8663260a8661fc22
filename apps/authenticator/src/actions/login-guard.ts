import { Injectable } from '@nestjs/common';
import { TooMany } from '@libs/envelope';
import { AuthenticatorSettings } from '../settings';
import { AttemptsStore } from '../store/attempts.store';
import { Audit } from './audit';

export interface Attempt {
  tenant: string;
  username: string;
  address: string;
  /** What is tried, where failures of it count apart. */
  scope?: string;
}

/** Stands before everything that can be guessed: too many failures of a user or an address, and nobody may try. */
@Injectable()
export class LoginGuard {
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(
    private readonly store: AttemptsStore,
    private readonly settings: AuthenticatorSettings,
    private readonly audit: Audit,
  ) {}

  /**
   * Runs the attempt and counts a null as failure; throws TooMany (429 with Retry-After) while locked. With `event` it
   * leaves an audit record of that name; without, whoever asks writes one.
   */
  attempt<T>(who: Attempt, attempt: () => Promise<T | null>, event?: string): Promise<T | null> {
    if (event) return this.audit.attempt({ ...who, event }, () => this.attempt(who, attempt));
    const { loginFailures, addressFailures } = this.settings;
    const name = who.username.trim().toLowerCase();
    const user = `user${who.scope ? ` ${who.scope}` : ''} ${who.tenant} ${name}`;
    return this.run(
      user,
      { [user]: loginFailures, [`address ${who.tenant} ${who.address}`]: addressFailures },
      attempt,
    );
  }

  /** The key of an OAuth client: whoever guesses locks out the own address, not the client's real owner. */
  attemptClient<T>(
    tenant: string,
    clientId: string,
    address: string,
    attempt: () => Promise<T | null>,
  ): Promise<T | null> {
    const key = `client ${tenant} ${clientId} ${address}`;
    return this.run(key, { [key]: this.settings.loginFailures }, attempt);
  }

  /** Guesses of one name take turns: a thousand at once would otherwise all be made before the first one counts. */
  private run<T>(
    key: string,
    limits: Record<string, number>,
    attempt: () => Promise<T | null>,
  ): Promise<T | null> {
    const before = this.turns.get(key) ?? Promise.resolve();
    const turn = before.then(() => this.guarded(key, limits, attempt));
    const done = turn
      .catch(() => undefined)
      .then(() => {
        if (this.turns.get(key) === done) this.turns.delete(key);
      });
    this.turns.set(key, done);
    return turn;
  }

  private async guarded<T>(
    key: string,
    limits: Record<string, number>,
    attempt: () => Promise<T | null>,
  ): Promise<T | null> {
    const { lockSeconds } = this.settings;
    const wait = await this.store.lockedFor(limits, lockSeconds);
    if (wait > 0)
      throw new TooMany(
        'AUTHENTICATOR_LOCKED',
        `Too many attempts have failed; the next one may be made in ${wait} s.`,
        wait,
      );
    const outcome = await attempt();
    if (outcome === null) await this.store.failed(limits, lockSeconds);
    else await this.store.succeeded(key);
    return outcome;
  }
}
