import { Injectable } from '@nestjs/common';
import { checkPassword, hashPassword, isOutdated } from '../domain/password-hash';
import { type Profile, profileOf, type UserSource } from '../domain/user-source';
import { type Account, AccountsStore } from '../store/accounts.store';

/** The directory in the platform as a source of people. */
@Injectable()
export class DirectorySource {
  constructor(private readonly accounts: AccountsStore) {}

  of(tenant: string): UserSource {
    return {
      authenticate: (username, password) => this.authenticate(tenant, username, password),
      profile: async (username) => {
        const account = await this.accounts.find(tenant, username);
        return account?.enabled ? shown(account) : null;
      },
      profiles: async (limit, offset) =>
        (await this.accounts.list(tenant, { limit, offset, enabledOnly: true })).map(shown),
    };
  }

  /** A hash of an older kind, or of a lower cost than today's, is replaced when its password comes by. */
  private async authenticate(
    tenant: string,
    username: string,
    password: string,
  ): Promise<Profile | null> {
    const account = await this.accounts.withHash(tenant, username);
    const hash = account?.password_hash;
    const right = await checkPassword(password, hash, await this.accounts.anyHash(tenant));
    if (!account?.enabled || !right) return null;
    if (!account.seeded && isOutdated(hash!))
      await this.accounts.replaceHash(tenant, username, hash!, await hashPassword(password));
    return shown(account);
  }
}

const shown = (account: Account): Profile =>
  profileOf(account.username, {
    given_name: account.given_name,
    last_name: account.last_name,
    email: account.email,
    phone: account.phone,
    mobile_phone: account.mobile_phone,
    create_time: account.created.toISOString(),
  });
