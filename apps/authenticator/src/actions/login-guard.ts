import { Injectable } from '@nestjs/common';
import { TooMany } from '@libs/envelope';
import { AuthenticatorSettings } from '../settings';
import { AttemptsStore } from '../store/attempts.store';
import { KnownPlacesStore } from '../store/known-places.store';
import { Audit } from './audit';

export interface Attempt {
  tenant: string;
  username: string;
  address: string;
  /** What is tried, where failures of it count apart. */
  scope?: string;
}

interface Turn {
  /** What takes turns, and begins anew after a success. */
  key: string;
  /** So many failures of a key lock it. */
  locks: Record<string, number>;
  /** Keys whose failures are counted, with the same limits. */
  counts: Record<string, number>;
}

/** Stands before everything that can be guessed: too many failures of a user or an address, and nobody may try. */
@Injectable()
export class LoginGuard {
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(
    private readonly store: AttemptsStore,
    private readonly places: KnownPlacesStore,
    private readonly settings: AuthenticatorSettings,
    private readonly audit: Audit,
  ) {}

  /**
   * Runs the attempt and counts a null as failure; throws TooMany (429 with Retry-After) while locked. With `event` it
   * leaves an audit record of that name; without, whoever asks writes one. Where the person has come in before only the
   * failures made there lock: whoever guesses elsewhere, however long, keeps nobody out of their usual place.
   */
  async attempt<T>(
    who: Attempt,
    attempt: () => Promise<T | null>,
    event?: string,
  ): Promise<T | null> {
    if (event) return this.audit.attempt({ ...who, event }, () => this.attempt(who, attempt));
    const { loginFailures, addressFailures } = this.settings;
    const { tenant, address, scope } = who;
    const user = `user${scope ? ` ${scope}` : ''} ${tenant} ${plainName(who.username)}`;
    const known = await this.places.has(user, address);
    const key = known ? `${user} ${address}` : user;
    const all = { [key]: loginFailures, [`address ${tenant} ${address}`]: addressFailures };
    const locks = known ? { [key]: loginFailures } : all;
    const outcome = await this.run({ key, locks, counts: all }, attempt);
    if (outcome !== null) await this.places.remember(user, address);
    return outcome;
  }

  /** The key of an OAuth client: whoever guesses locks out the own address, not the client's real owner. */
  attemptClient<T>(
    tenant: string,
    clientId: string,
    address: string,
    attempt: () => Promise<T | null>,
  ): Promise<T | null> {
    const key = `client ${tenant} ${clientId} ${address}`;
    const locks = { [key]: this.settings.loginFailures };
    return this.run({ key, locks, counts: locks }, attempt);
  }

  /** Guesses of one name take turns: a thousand at once would otherwise all be made before the first one counts. */
  private run<T>(asked: Turn, attempt: () => Promise<T | null>): Promise<T | null> {
    const { key } = asked;
    const before = this.turns.get(key) ?? Promise.resolve();
    const turn = before.then(() => this.guarded(asked, attempt));
    const done = turn
      .catch(() => undefined)
      .then(() => {
        if (this.turns.get(key) === done) this.turns.delete(key);
      });
    this.turns.set(key, done);
    return turn;
  }

  private async guarded<T>(
    { key, locks, counts }: Turn,
    attempt: () => Promise<T | null>,
  ): Promise<T | null> {
    const { lockSeconds } = this.settings;
    const wait = await this.store.lockedFor(locks, lockSeconds);
    if (wait > 0)
      throw new TooMany(
        'AUTHENTICATOR_LOCKED',
        `Too many attempts have failed; the next one may be made in ${wait} s.`,
        wait,
      );
    const outcome = await attempt();
    if (outcome === null) await this.store.failed(counts, lockSeconds);
    else await this.store.succeeded(key);
    return outcome;
  }
}

/** Directories take a name in any case, width and spacing: it is one name. */
const plainName = (name: string): string =>
  name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
