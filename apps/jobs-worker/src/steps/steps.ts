import type { ActiveStatus } from '@libs/jobs-model';
import { archiving } from './archiving';
import { pending } from './pending';
import { processingInputs } from './processing-inputs';
import { queued } from './queued';
import { running } from './running';
import { stagingInputs } from './staging-inputs';
import { stagingJob } from './staging-job';
import type { Step } from './step';
import { submittingJob } from './submitting-job';

/** What is done in each active status; a missing one does not compile. */
export const STEPS: Record<ActiveStatus, Step> = {
  PENDING: pending,
  PROCESSING_INPUTS: processingInputs,
  STAGING_INPUTS: stagingInputs,
  STAGING_JOB: stagingJob,
  SUBMITTING_JOB: submittingJob,
  QUEUED: queued,
  RUNNING: running,
  ARCHIVING: archiving,
};
