import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hashPassword, SEED_COST } from '../domain/password-hash';
import { AuthenticatorSettings } from '../settings';
import { AccountsStore } from '../store/accounts.store';

/** Makes the test accounts of the settings; an account that is there keeps its password. */
@Injectable()
export class SeedAccounts implements OnModuleInit {
  constructor(
    private readonly settings: AuthenticatorSettings,
    private readonly accounts: AccountsStore,
  ) {}

  async onModuleInit(): Promise<void> {
    const tenants = Object.entries(this.settings.seedAccounts);
    if (tenants.length && this.settings.nodeEnv === 'production') {
      throw new Error(
        'SEED_ACCOUNTS makes accounts with known passwords and is refused when NODE_ENV is production.',
      );
    }
    for (const [tenant, passwords] of tenants) {
      const there = await this.accounts.usernames(tenant);
      const missing = Object.entries(passwords).filter(([username]) => !there.has(username));
      const hashed = missing.map(async ([username, password]) => {
        const hash = await hashPassword(password, SEED_COST);
        await this.accounts.add(tenant, username, hash, { seeded: true });
      });
      await Promise.all(hashed);
    }
  }
}
