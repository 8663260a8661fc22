import { Injectable } from '@nestjs/common';
import { problemOf, Unauthenticated } from '@libs/envelope';
import { Log } from '@libs/service-kit';
import { type AuthEvent, AuthEventsStore } from '../store/auth-events.store';

/** As the record calls a wrong password or code. */
const FAILED = new Unauthenticated('AUTHENTICATOR_BAD_CREDENTIALS', 'Wrong password or code.');

export type AuditTrace = Omit<AuthEvent, 'outcome' | 'status'>;

/** The record of who was let in, who was not, and why. */
@Injectable()
export class Audit {
  constructor(
    private readonly events: AuthEventsStore,
    private readonly log: Log,
  ) {}

  done(trace: AuditTrace, outcome: string): Promise<void> {
    return this.events.add({ ...trace, outcome, status: 200 });
  }

  /** Runs an attempt and writes down how it went: a null is a failure, and so is what is thrown. */
  async attempt<T>(trace: AuditTrace, attempt: () => Promise<T | null>): Promise<T | null> {
    let outcome: T | null;
    try {
      outcome = await attempt();
    } catch (error) {
      await this.refused(trace, error);
      throw error;
    }
    if (outcome === null) await this.refused(trace, FAILED);
    else await this.done(trace, 'PASSED');
    return outcome;
  }

  /** What was thrown is on its way to the caller and stays what it is, even if it can't be written down. */
  async refused(trace: AuditTrace, thrown: unknown): Promise<void> {
    const { code: outcome, status } = problemOf(thrown);
    try {
      await this.events.add({ ...trace, outcome, status });
    } catch (err) {
      this.log.error({ err, outcome }, 'a refusal could not be written down');
    }
  }
}
