import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { Conflict } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { SecurityClient, type SecretRef } from '@libs/security-client';
import { OutsideHttp } from '../clients/outside-http';
import { PrivacyIdea } from '../clients/privacy-idea';
import { OWN_NAME, totpSecretName } from '../clients/secret-names';
import { type MfaRules, mfaRules, type PrivacyIdeaSettings } from '../domain/mfa-config';
import {
  enrolmentUri,
  isRecoveryCode,
  newRecoveryCodes,
  newSecret,
  plainCode,
  stepOf,
} from '../domain/totp';
import { type TotpEnrolment, TotpStore } from '../store/totp.store';
import type { AuthEvent } from '../store/auth-events.store';
import { type Attempt, LoginGuard } from './login-guard';
import { TenantConfigs } from './tenant-configs';

/** Failures of the second factor count apart from those of the password. */
const EVENT = 'second_factor';

export interface Person {
  tenant: string;
  username: string;
}
/** What is still to be shown after the password. */
export type FactorNeed = 'none' | 'verify' | 'enrol';

/** One-time passwords of authenticator apps. Secrets are in the security kernel, under this service's own name. */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly store: TotpStore,
    private readonly configs: TenantConfigs,
    private readonly guard: LoginGuard,
    private readonly security: SecurityClient,
    private readonly tenants: Tenants,
    private readonly http: OutsideHttp,
  ) {}

  /** Undefined for who has none, or began and never confirmed. */
  async of({ tenant, username }: Person): Promise<TotpEnrolment | undefined> {
    const found = await this.store.find(tenant, username);
    return found?.confirmed ? found : undefined;
  }

  async rules(tenant: string): Promise<MfaRules> {
    return mfaRules((await this.configs.of(tenant)).mfa_config);
  }

  async need(person: Person): Promise<FactorNeed> {
    const rules = await this.rules(person.tenant);
    if (rules.privacyidea) return 'verify';
    if (await this.of(person)) return 'verify';
    return rules.required ? 'enrol' : 'none';
  }

  /** The secret that the person's app is to have: the one that waits for its first code, else a new one. */
  async offer(person: Person): Promise<{ secret: string; uri: string }> {
    const secret = (await this.waiting(person)) ?? (await this.begin(person));
    const issuer = `${platform().capital} ${person.tenant}`;
    return { secret, uri: enrolmentUri(secret, issuer, person.username) };
  }

  /** The first code: the factor counts from now on. Answers the recovery codes, or null for a wrong code. */
  async confirm(who: Attempt, typed: string): Promise<string[] | null> {
    const check = async () =>
      (await this.useTotp(who, plainCode(typed), false)) ? this.newCodes(who) : null;
    return this.guard.attempt(guarded(who), check, EVENT);
  }

  /** What a browser that is not asked again is bound to: another enrolment is asked for. */
  async mark(person: Person): Promise<string | undefined> {
    const { privacyidea } = await this.rules(person.tenant);
    return privacyidea ? `at ${privacyidea.url}` : (await this.of(person))?.enrolment;
  }

  /** A code of the app or one recovery code, each of which works once; or what the tenant's own server takes. */
  async verify(who: Attempt, typed: string): Promise<'totp' | 'recovery' | 'server' | null> {
    const { privacyidea } = await this.rules(who.tenant);
    const code = plainCode(typed);
    const check = async () => {
      if (privacyidea) return (await this.atServer(privacyidea, who, typed)) ? 'server' : null;
      if (!(await this.of(who))) return null;
      if (isRecoveryCode(code))
        return (await this.store.useCode(who.tenant, who.username, code)) ? 'recovery' : null;
      return (await this.useTotp(who, code, true)) ? 'totp' : null;
    };
    return this.guard.attempt(guarded(who), check, EVENT);
  }

  /** Shown once and never again. */
  async newCodes({ tenant, username }: Person): Promise<string[]> {
    const codes = newRecoveryCodes();
    await this.store.setCodes(tenant, username, codes.map(plainCode));
    return codes;
  }

  /** False when there was none. */
  async remove({ tenant, username }: Person, event: AuthEvent): Promise<boolean> {
    const removed = await this.store.remove(tenant, username, event);
    await this.security.destroySecret(this.secretRef({ tenant, username }));
    return removed;
  }

  private async atServer(
    server: PrivacyIdeaSettings,
    { username }: Person,
    typed: string,
  ): Promise<boolean> {
    const code = typed.trim();
    return code !== '' && new PrivacyIdea(server, this.http).isCode(username, code);
  }

  private async begin(person: Person): Promise<string> {
    const [secret, enrolment] = [newSecret(), randomUUID()];
    // the row first: a factor that counts already keeps its secret
    if (!(await this.store.begin(person.tenant, person.username, enrolment)))
      throw new Conflict('AUTHENTICATOR_MFA_ENROLLED', 'There is a second factor already.');
    await this.security.writeSecret(this.secretRef(person), { secret, enrolment });
    return secret;
  }

  private async waiting(person: Person): Promise<string | undefined> {
    const row = await this.store.find(person.tenant, person.username);
    return row && !row.confirmed ? this.secretOf(person, row.enrolment) : undefined;
  }

  private async useTotp(person: Person, code: string, confirmed: boolean): Promise<boolean> {
    const { tenant, username } = person;
    const row = await this.store.find(tenant, username);
    if (!row || !!row.confirmed !== confirmed) return false;
    const secret = await this.secretOf(person, row.enrolment);
    const step = secret && stepOf(secret, code, Date.now());
    return !!step && this.store.use(tenant, username, row.enrolment, step);
  }

  /** Undefined when the secret is of another enrolment: that one was never written down completely. */
  private async secretOf(person: Person, enrolment: string): Promise<string | undefined> {
    const kept = await this.security.readSecret(this.secretRef(person));
    return kept?.['enrolment'] === enrolment ? kept['secret'] : undefined;
  }

  private secretRef({ tenant, username }: Person): SecretRef {
    return {
      type: 'user',
      name: totpSecretName(tenant, username),
      tenant: this.tenants.here?.site_admin_tenant_id ?? '',
      user: OWN_NAME,
    };
  }
}

/** Counted apart from passwords: a right one must not make wrong codes forgotten. */
const guarded = (who: Attempt): Attempt => ({ ...who, scope: EVENT });
