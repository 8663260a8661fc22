import type { JobRequestBody } from './job-request';
import type { AppRecord, SystemRecord } from './records';

/** Everything that a submission is resolved from. Of systems only what the caller may use is handed in. */
export interface Submission {
  request: JobRequestBody;
  tenant: string;
  owner: string;
  uuid: string;
  created: Date;
  app: AppRecord;
  execSystem: SystemRecord;
  /** The system that request or app names for the archive, if one does. */
  archiveSystem?: SystemRecord;
  /** The data transfer node of the execution system, if it has one and the job wants it. */
  dtnSystem?: SystemRecord;
  evaluate(systemId: string, variable: string): Promise<string | undefined>;
}
