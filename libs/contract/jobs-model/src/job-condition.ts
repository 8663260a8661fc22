import type { ActiveStatus } from './job-status';

/** Why a job ended, set once with its terminal status. */
export const JOB_CONDITIONS = {
  NORMAL_COMPLETION: 'The application ended well',
  CANCELLED_BY_USER: 'A user cancelled the job',
  JOB_REMOTE_OUTCOME_ERROR: 'The application ended with a non-zero exit code',
  SCHEDULER_CANCELLED: 'The batch scheduler says the job was cancelled there',
  SCHEDULER_DEADLINE: 'The batch scheduler ended the job at its deadline',
  SCHEDULER_OUT_OF_MEMORY: 'The batch scheduler ended the job for its use of memory',
  SCHEDULER_STOPPED: 'The batch scheduler stopped the job',
  SCHEDULER_TIMEOUT: 'The batch scheduler ended the job at its time limit',
  SCHEDULER_TERMINATED: 'The batch scheduler ended the job, for instance when a node failed',
  JOB_EXECUTION_MONITORING_TIMEOUT: 'The job ran longer than its maxMinutes',
  JOB_EXECUTION_MONITORING_ERROR_TIMEOUT: 'The job could not be watched for too long',
  JOB_REMOTE_ACCESS_ERROR: 'The directories of the job could not be made',
  JOB_UNABLE_TO_STAGE_INPUTS: 'The inputs could not be staged',
  JOB_UNABLE_TO_STAGE_JOB: 'The launch files could not be written',
  JOB_LAUNCH_FAILURE: 'The application could not be launched',
  JOB_QUEUE_MONITORING_ERROR: 'The queued job could not be watched',
  JOB_EXECUTION_MONITORING_ERROR: 'The running job could not be watched',
  JOB_ARCHIVING_FAILED: 'The outputs could not be archived',
  JOB_TRANSFER_FAILED_OR_CANCELLED: 'A transfer failed or was cancelled',
  JOB_TRANSFER_MONITORING_TIMEOUT: 'A transfer took too long',
  JOB_FILES_SERVICE_ERROR: 'The files service refused or failed',
  JOB_RECOVERY_TIMEOUT: 'The job was blocked for too long',
  JOB_RECOVERY_FAILURE: 'The trouble that blocked the job will not pass by itself',
  JOB_INVALID_DEFINITION: 'The job cannot be interpreted',
  JOB_DATABASE_ERROR: 'The database failed',
  JOB_INTERNAL_ERROR: 'The platform failed',
} as const;

export type JobCondition = keyof typeof JOB_CONDITIONS;

/** The condition of an error that nothing more precise is known about, by the status it happened in. */
export const CONDITION_OF_FAILED_STATUS: Record<ActiveStatus, JobCondition> = {
  PENDING: 'JOB_INTERNAL_ERROR',
  PROCESSING_INPUTS: 'JOB_REMOTE_ACCESS_ERROR',
  STAGING_INPUTS: 'JOB_UNABLE_TO_STAGE_INPUTS',
  STAGING_JOB: 'JOB_UNABLE_TO_STAGE_JOB',
  SUBMITTING_JOB: 'JOB_LAUNCH_FAILURE',
  QUEUED: 'JOB_QUEUE_MONITORING_ERROR',
  RUNNING: 'JOB_EXECUTION_MONITORING_ERROR',
  ARCHIVING: 'JOB_ARCHIVING_FAILED',
};

/** What the application's end means for the outputs and the final status. */
export const REMOTE_OUTCOMES = ['FINISHED', 'FAILED', 'FAILED_SKIP_ARCHIVE'] as const;
export type RemoteOutcome = (typeof REMOTE_OUTCOMES)[number];
