import type { BlockedCause, JobCondition, JobStatus, RemoteOutcome } from '@libs/jobs-model';
import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { fixed, fixedOptional, Flag, Int, Json, optional, Text, Time } from './column';

/** Free facts that a worker keeps about its launch, such as where the process was found. */
export type LaunchFacts = Record<string, unknown>;

/**
 * One job. What carries `fixed` never changes after submission; the rest changes through moves and patches of
 * the store alone. No index holds a column that an ordinary move changes: so a move touches no index.
 */
@Entity('jobs')
@Index('jobs_uuid', ['uuid'], { unique: true })
@Index('jobs_of_owner', ['tenant', 'owner', 'id'])
@Index('jobs_of_exec_system', ['tenant', 'execSystemId'], { where: 'ended IS NULL' })
@Index('jobs_due', ['nextCheckAt'], { where: 'next_check_at IS NOT NULL' })
export class JobRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id!: number;
  @Text(fixed) uuid!: string;
  @Text(fixed) tenant!: string;
  @Text(fixed) owner!: string;
  @Text(fixed) createdby!: string;
  @Text(fixed) createdbyTenant!: string;
  @Text(fixed) name!: string;
  @Text(fixed) description!: string;
  @Text() status!: JobStatus;
  @Text(optional) condition!: JobCondition | null;
  @Text(optional) lastMessage!: string | null;
  @Time({ update: false, default: () => 'now()' }) created!: Date;
  @Time({ default: () => 'now()' }) lastUpdated!: Date;
  @Time(optional) ended!: Date | null;
  @Flag({ default: true }) visible!: boolean;

  @Text(fixed) appId!: string;
  @Text(fixed) appVersion!: string;
  @Text(fixed) jobType!: 'FORK' | 'BATCH';
  @Text(fixed) archiveMode!: 'ALWAYS' | 'SKIP_ON_FAIL' | 'NEVER';
  @Text(fixed) execSystemId!: string;
  @Text(fixed) execSystemExecDir!: string;
  @Text(fixed) execSystemInputDir!: string;
  @Text(fixed) execSystemOutputDir!: string;
  @Text(fixedOptional) execSystemLogicalQueue!: string | null;
  @Text(fixed) archiveSystemId!: string;
  @Text(fixed) archiveSystemDir!: string;
  @Text(fixedOptional) dtnSystemId!: string | null;
  @Text(fixedOptional) dtnSystemInputDir!: string | null;
  @Text(fixedOptional) dtnSystemOutputDir!: string | null;
  @Int(fixed) nodeCount!: number;
  @Int(fixed) coresPerNode!: number;
  @Int(fixed) memoryMB!: number;
  @Int(fixed) maxMinutes!: number;
  @Flag(fixed) mpi!: boolean;
  @Text(fixedOptional) mpiCmd!: string | null;
  @Text(fixedOptional) cmdPrefix!: string | null;
  @Text({ array: true, default: [] }) tags!: string[];
  @Json({ default: {} }) notes!: Record<string, unknown>;
  @Text({ ...fixed, default: '' }) sharedAppCtx!: string;
  @Text({ ...fixed, array: true, default: [] }) sharedAppCtxAttribs!: string[];
  @Text(fixedOptional) trackingId!: string | null;
  @Text(fixedOptional) requestId!: string | null;
  @Text(fixedOptional) traceparent!: string | null;

  @Int({ default: 0 }) blockedCount!: number;
  @Int({ default: 0 }) remoteSubmitRetries!: number;
  @Int({ default: 0 }) remoteChecksSuccess!: number;
  @Int({ default: 0 }) remoteChecksFailed!: number;
  @Text(optional) remoteJobId!: string | null;
  @Text(optional) remoteJobId2!: string | null;
  @Text(optional) remoteOutcome!: RemoteOutcome | null;
  @Text(optional) remoteResultInfo!: string | null;
  @Text(optional) remoteQueue!: string | null;
  @Time(optional) remoteSubmitted!: Date | null;
  @Time(optional) remoteStarted!: Date | null;
  @Time(optional) remoteEnded!: Date | null;
  @Time(optional) remoteLastStatusCheck!: Date | null;
  @Text(optional) inputTransactionId!: string | null;
  @Text(optional) inputCorrelationId!: string | null;
  @Text(optional) archiveTransactionId!: string | null;
  @Text(optional) archiveCorrelationId!: string | null;
  @Text(optional) stageAppTransactionId!: string | null;
  @Text(optional) stageAppCorrelationId!: string | null;
  @Text(optional) dtnInputTransactionId!: string | null;
  @Text(optional) dtnInputCorrelationId!: string | null;
  @Text(optional) dtnOutputTransactionId!: string | null;
  @Text(optional) dtnOutputCorrelationId!: string | null;

  /** When somebody asked to cancel; whoever works on the job looks at it before every step. */
  @Time(optional) cancelRequested!: Date | null;
  /** The worker that holds the job, until `leaseUntil`. */
  @Text(optional) claimedBy!: string | null;
  @Time(optional) leaseUntil!: Date | null;
  /** When somebody has to look at the job if no message came before; null: nobody has to. */
  @Time(optional) nextCheckAt!: Date | null;
  /** Set while BLOCKED: the status to go back to, why, since when, and how often it was tried again. */
  @Text(optional) blockedStatus!: JobStatus | null;
  @Text(optional) blockedCause!: BlockedCause | null;
  /** What is away, such as `host:port:login`: jobs with the same cause and key wake together. */
  @Text(optional) blockedKey!: string | null;
  @Time(optional) blockedSince!: Date | null;
  @Int({ default: 0 }) blockedAttempts!: number;
  @Json(optional) launch!: LaunchFacts | null;
}
