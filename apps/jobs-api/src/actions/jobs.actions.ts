import type { Caller } from '@libs/auth';
import { BadInput, Conflict } from '@libs/envelope';
import { JOB_STATES } from '@libs/jobs-model';
import { type Job, type JobRow, JobsStore } from '@libs/jobs-store';
import { Injectable } from '@nestjs/common';
import { requireMatch } from '@libs/service-kit';
import { historyEntry, type HistoryEntry } from '../domain/history-entry';
import { jobTag } from '../domain/job-tag';
import { JobAccess } from './job-access';

/** What can be asked and done about one job. */
@Injectable()
export class JobsActions {
  constructor(
    private readonly store: JobsStore,
    private readonly access: JobAccess,
  ) {}

  get(caller: Caller, uuid: string): Promise<Job> {
    return this.access.toRead(caller, uuid, 'JOB_HISTORY');
  }

  async history(
    caller: Caller,
    uuid: string,
    limit: number,
    skip: number,
  ): Promise<HistoryEntry[]> {
    const job = await this.access.toRead(caller, uuid, 'JOB_HISTORY');
    const entries = await this.store.history(job.tenant, uuid, { limit, skip });
    return entries.map((entry) => historyEntry(entry, { ...job }));
  }

  /** The request of the job as it was sent. */
  async request(caller: Caller, uuid: string): Promise<unknown> {
    const job = await this.access.toResubmit(caller, uuid);
    const request = await this.store.request(job.tenant, uuid);
    if (request === undefined) {
      throw new BadInput('JOBS_JOBRESUBMIT_NOT_FOUND', `the request of job ${uuid} was not kept`);
    }
    return JSON.parse(request) as unknown;
  }

  /** Stores the wish; what nobody works on is cancelled at once. */
  async cancel(caller: Caller, uuid: string, ifMatch?: string): Promise<JobRow> {
    const job = await this.access.toChange(caller, uuid);
    requireMatch(ifMatch, jobTag(job), `job ${uuid}`);
    const before = job.status;
    const now = JOB_STATES.isTerminal(before)
      ? job
      : await this.store.cancel(job.tenant, uuid, `${caller.user}@${caller.tenant}`);
    if (
      !now ||
      JOB_STATES.isTerminal(before) ||
      (now.status !== 'CANCELLED' && JOB_STATES.isTerminal(now.status))
    ) {
      throw new Conflict(
        'JOBS_JOB_IN_TERMINAL_STATE',
        `job ${uuid} is ${now?.status ?? before} already`,
      );
    }
    return now;
  }

  /** Answers whether something changed. */
  async setVisible(
    caller: Caller,
    uuid: string,
    visible: boolean,
    ifMatch?: string,
  ): Promise<boolean> {
    const job = await this.access.toChange(caller, uuid);
    requireMatch(ifMatch, jobTag(job), `job ${uuid}`);
    if (!JOB_STATES.isTerminal(job.status)) {
      const text = `job ${uuid} is ${job.status}; only ended jobs are hidden or shown`;
      throw new Conflict('JOBS_JOB_NOT_IN_TERMINAL_STATE', text);
    }
    if (job.visible === visible) return false;
    await this.store.patch(job, { visible });
    return true;
  }

  async sendEvent(caller: Caller, uuid: string, detail: string, message: string): Promise<void> {
    const job = await this.access.toChange(caller, uuid);
    if (JOB_STATES.isTerminal(job.status)) {
      throw new BadInput(
        'JOBS_JOB_IN_TERMINAL_STATE',
        `job ${uuid} is ${job.status} and takes no events`,
      );
    }
    await this.store.addEvent(job, { event: 'JOB_USER_EVENT', detail, data: { message } });
  }
}
