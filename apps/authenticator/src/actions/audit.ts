import { Injectable } from '@nestjs/common';
import { problemOf } from '@libs/envelope';
import { Log } from '@libs/service-kit';
import { type AuthEvent, AuthEventsStore } from '../store/auth-events.store';

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
