import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from './session';

const TERMINAL = ['FINISHED', 'FAILED', 'CANCELLED'];

/** What a client sees of a job; more fields are there. */
export interface JobRecord {
  uuid: string;
  status: string;
  condition: string | null;
  lastMessage: string | null;
  remoteJobId: string | null;
  remoteOutcome: string | null;
  blockedCount: number;
  execSystemExecDir: string;
  execSystemInputDir: string;
  execSystemOutputDir: string;
  archiveSystemId: string;
  archiveSystemDir: string;
  remoteStarted: string | null;
  created: string;
  ended: string | null;
  [field: string]: unknown;
}

export interface Waiting {
  /** Milliseconds, default 60 s. */
  within?: number;
}

/** One job as its owner sees it from outside. */
export class JobOutcome {
  constructor(
    private readonly session: Session,
    readonly uuid: string,
  ) {}

  record(): Promise<JobRecord> {
    return this.session.ask('GET', `/v3/jobs/${this.uuid}`);
  }

  history(): Promise<{ event: string; eventDetail: string; description: string }[]> {
    return this.session.ask('GET', `/v3/jobs/${this.uuid}/history?limit=1000`);
  }

  /** The statuses the job went through, in order. */
  async statuses(): Promise<string[]> {
    const entries = await this.history();
    return entries.filter((e) => e.event === 'JOB_NEW_STATUS').map((e) => e.eventDetail);
  }

  /**
   * Follows the live events until the job has (had) the status, over breaks and restarts of the platform. Another
   * terminal status is a failure that tells the whole story.
   */
  async reaches(wanted: string, { within = 120_000 }: Waiting = {}): Promise<JobRecord> {
    const deadline = AbortSignal.timeout(within);
    let last: string | undefined;
    while (!deadline.aborted) {
      try {
        for await (const event of this.session.events(
          `/v3/jobs/${this.uuid}/events`,
          last,
          deadline,
        )) {
          last = event.id ?? last;
          const { newJobStatus } = JSON.parse(event.data) as { newJobStatus?: string };
          if (newJobStatus === wanted) return await this.record();
          if (newJobStatus && TERMINAL.includes(newJobStatus)) throw await this.story(wanted);
        }
      } catch (error) {
        if (error instanceof WrongEnd) throw error;
      }
      // the platform is away or has ended the stream: nothing tells when it is back
      await delay(50);
    }
    throw await this.story(`${wanted} within ${within} ms`);
  }

  private async story(wanted: string): Promise<WrongEnd> {
    try {
      const { status, condition, lastMessage } = await this.record();
      const path = (await this.statuses()).join(' > ');
      return new WrongEnd(
        `job ${this.uuid} did not reach ${wanted}: ${status}, ${condition}, ${lastMessage} (${path})`,
      );
    } catch (error) {
      return new WrongEnd(`job ${this.uuid} did not reach ${wanted}: ${(error as Error).message}`);
    }
  }
}

class WrongEnd extends Error {}
