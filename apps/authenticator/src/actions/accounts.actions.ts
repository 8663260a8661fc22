import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { BadInput, Conflict, Forbidden, NotFound } from '@libs/envelope';
import { SecurityClient } from '@libs/security-client';
import { passwordProblem } from '../domain/account';
import { hashPassword } from '../domain/password-hash';
import { type Account, type AccountChange, AccountsStore } from '../store/accounts.store';
import { changeEvent, type Changer } from './change-events';
import { BrowserLogins } from './browser-logins';
import { SecondFactor } from './second-factor';
import { SignIn } from './sign-in';

export interface AccountShown {
  username: string;
  given_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  mobile_phone: string | null;
  enabled: boolean;
  second_factor: boolean;
  create_time: string;
  last_update_time: string;
}
export type NewAccount = AccountChange & { username: string; password: string };
export type AccountWish = Omit<AccountChange, 'password_hash'> & { password?: string };

/** The platform's own directory, kept by the tenant's administrators. Accounts are disabled, never deleted: whoever had the name before would own what the next one finds. */
@Injectable()
export class AccountActions {
  constructor(
    private readonly store: AccountsStore,
    private readonly security: SecurityClient,
    private readonly logins: BrowserLogins,
    private readonly factor: SecondFactor,
    private readonly signIn: SignIn,
  ) {}

  async list(caller: Caller, limit: number, offset: number): Promise<AccountShown[]> {
    await this.assertAdmin(caller, 'list accounts');
    const page = { limit, offset, enabledOnly: false };
    const accounts = await this.store.list(caller.tenant, page);
    return Promise.all(accounts.map((account) => this.shown(account)));
  }

  async create(caller: Caller, account: NewAccount, address: string) {
    const { username, password, ...profile } = account;
    await this.assertAdmin(caller, 'create accounts');
    assertGood(username, password);
    const hash = await hashPassword(password);
    const event = accountEvent({ caller, address }, username, 'CREATED');
    if (!(await this.store.add(caller.tenant, username, hash, profile, event)))
      throw new Conflict(
        'AUTHENTICATOR_ACCOUNT_EXISTS',
        `There is an account "${username}" in tenant ${caller.tenant} already.`,
      );
    return this.find(caller.tenant, username);
  }

  /** Administrators see everybody, others themselves. */
  async get(caller: Caller, username: string): Promise<AccountShown> {
    if (caller.user !== username && !(await this.security.isAdmin(caller)))
      throw missing(caller.tenant, username);
    return this.find(caller.tenant, username);
  }

  /** A new password, or none any more, ends what browsers were logged in. */
  async change(
    caller: Caller,
    username: string,
    wish: AccountWish,
    address: string,
  ): Promise<AccountShown> {
    await this.assertAdmin(caller, 'change accounts');
    const { password, ...change } = wish;
    if (password !== undefined) assertGood(username, password);
    const password_hash = password === undefined ? undefined : await hashPassword(password);
    const { tenant } = caller;
    const events = changeEvents({ caller, address }, username, wish);
    const changed = await this.store.change(tenant, username, { ...change, password_hash }, events);
    if (!changed) throw missing(tenant, username);
    if (password_hash || !changed.enabled) await this.logins.endAll({ tenant, username });
    return this.shown(changed);
  }

  /** By the person, who knows the old one; other browsers are logged out. */
  async changeOwnPassword(
    who: { tenant: string; username: string; address: string },
    passwords: { old: string; new: string },
    sessionId?: string,
  ): Promise<void> {
    const { tenant, username } = who;
    if (!(await this.store.find(tenant, username))) throw missing(tenant, username);
    assertGood(username, passwords.new);
    if (!(await this.signIn.byPassword(who, passwords.old, 'password_change')))
      throw new BadInput('AUTHENTICATOR_PASSWORD', 'The present password is not right.');
    await this.store.change(tenant, username, { password_hash: await hashPassword(passwords.new) });
    await this.logins.endAll({ tenant, username }, sessionId);
  }

  /** For who has lost telephone and recovery codes. */
  async removeFactor(caller: Caller, username: string, address: string): Promise<boolean> {
    await this.assertAdmin(caller, 'remove second factors');
    const event = accountEvent({ caller, address }, username, 'SECOND_FACTOR_REMOVED');
    return this.factor.remove({ tenant: caller.tenant, username }, event);
  }

  /** Whether the person is in the platform's own directory. */
  async isHere(tenant: string, username: string): Promise<boolean> {
    return !!(await this.store.find(tenant, username));
  }

  private async find(tenant: string, username: string): Promise<AccountShown> {
    const account = await this.store.find(tenant, username);
    if (!account) throw missing(tenant, username);
    return this.shown(account);
  }

  private async shown(account: Account): Promise<AccountShown> {
    const { tenant, created, updated, seeded: _, ...rest } = account;
    const { username } = account;
    return {
      ...rest,
      second_factor: !!(await this.factor.of({ tenant, username })),
      create_time: created.toISOString(),
      last_update_time: updated.toISOString(),
    };
  }

  private async assertAdmin(caller: Caller, what: string): Promise<void> {
    if (await this.security.isAdmin(caller)) return;
    throw new Forbidden(
      'AUTHENTICATOR_ADMIN_ONLY',
      `${caller.user}@${caller.tenant} may not ${what}: only administrators of the tenant may.`,
    );
  }
}

const accountEvent = (by: Changer, username: string, outcome: string, details?: string) =>
  changeEvent(by, { event: 'account', outcome, username, details });

/** One record for each kind of change, so that a new password is found without reading all. */
function changeEvents(by: Changer, username: string, wish: AccountWish) {
  const { password, enabled, ...profile } = wish;
  const given = Object.entries(profile).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => name).sort();
  return [
    ...(names.length ? [accountEvent(by, username, 'CHANGED', names.join(' '))] : []),
    ...(password === undefined ? [] : [accountEvent(by, username, 'PASSWORD_SET')]),
    ...(enabled === undefined
      ? []
      : [accountEvent(by, username, enabled ? 'ENABLED' : 'DISABLED')]),
  ];
}

function assertGood(username: string, password: string): void {
  const problem = passwordProblem(username, password);
  if (problem)
    throw new BadInput('AUTHENTICATOR_WEAK_PASSWORD', 'the body is not valid', [problem]);
}

const missing = (tenant: string, username: string): NotFound =>
  new NotFound(
    'AUTHENTICATOR_ACCOUNT_NOT_FOUND',
    `There is no account "${username}" in the directory of tenant ${tenant}.`,
    username,
  );
