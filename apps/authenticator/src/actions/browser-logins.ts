import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type BrowserSession, BrowserSessionsStore } from '../store/browser-sessions.store';
import { Audit } from './audit';
import { PageSigner } from './page-signer';
import { SecondFactor, type Person } from './second-factor';

export type { BrowserSession };

/** Somebody who has shown a password or came back from an outside provider. */
export interface Arrival extends Person {
  idpId: string | null;
}

const FACTOR = 'shown-factor';

/** Who is logged in with which browser. A session gets a new id whenever it is worth more than before. */
@Injectable()
export class BrowserLogins {
  constructor(
    private readonly sessions: BrowserSessionsStore,
    private readonly factor: SecondFactor,
    private readonly signer: PageSigner,
    private readonly audit: Audit,
  ) {}

  newId(): string {
    return randomBytes(32).toString('base64url');
  }

  find(id: string, tenant: string): Promise<BrowserSession | undefined> {
    return this.sessions.find(id, tenant);
  }

  /** The new id; complete at once when no second factor is needed, or this browser has shown it not long ago. */
  async signIn(
    oldId: string,
    { idpId, ...person }: Arrival,
    shown: string | undefined,
    address: string,
  ): Promise<{ id: string; complete: boolean }> {
    const need = await this.factor.need(person);
    const complete = need === 'none' || (need === 'verify' && (await this.isShown(person, shown)));
    const trace = { ...person, event: 'session', address };
    await this.audit.done(trace, complete ? 'LOGGED_IN' : 'FACTOR_NEEDED');
    return { id: await this.renew(oldId, person, idpId, complete), complete };
  }

  /** The second factor was right. */
  async complete(
    oldId: string,
    { tenant, username, idp_id }: BrowserSession,
    address: string,
  ): Promise<string> {
    await this.audit.done({ tenant, username, event: 'session', address }, 'LOGGED_IN');
    return this.renew(oldId, { tenant, username }, idp_id, true);
  }

  /** What a browser keeps to show that it has shown the second factor; undefined where that is not remembered. */
  async shownFactor(person: Person): Promise<{ value: string; seconds: number } | undefined> {
    const { remembered: seconds } = await this.factor.rules(person.tenant);
    const enrolment = await this.factor.mark(person);
    if (!seconds || !enrolment) return undefined;
    const said: Shown = { ...person, enrolment, at: Date.now() };
    return { value: this.signer.sign(FACTOR, said), seconds };
  }

  end(id: string): Promise<void> {
    return this.sessions.end(id);
  }

  endAll({ tenant, username }: Person, exceptId?: string): Promise<void> {
    return this.sessions.endAll(tenant, username, exceptId);
  }

  private async isShown(person: Person, shown: string | undefined): Promise<boolean> {
    const said = this.signer.read<Shown>(FACTOR, shown);
    if (!said || said.tenant !== person.tenant || said.username !== person.username) return false;
    const { remembered } = await this.factor.rules(person.tenant);
    const enrolment = await this.factor.mark(person);
    return enrolment === said.enrolment && Date.now() - said.at < remembered * 1000;
  }

  private async renew(
    oldId: string,
    person: Person,
    idp_id: string | null,
    complete: boolean,
  ): Promise<string> {
    const id = this.newId();
    await this.sessions.end(oldId);
    await this.sessions.add(id, { ...person, idp_id, complete });
    return id;
  }
}

interface Shown extends Person {
  enrolment: string;
  at: number;
}
