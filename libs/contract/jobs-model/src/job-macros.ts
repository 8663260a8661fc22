import { platform } from '@libs/platform-name';
import { archiveOnAppError, type ArchiveMode } from './archive-mode';
import type { Size } from './choose-place';
import type { EffectiveEnvVariable } from './job-definition';
import type { AppRecord, LogicalQueueRecord, SystemRecord } from './records';

export interface GroundFacts {
  uuid: string;
  tenant: string;
  owner: string;
  created: Date;
  app: AppRecord;
  execSystem: SystemRecord;
  archiveSystemId: string;
  archiveMode: ArchiveMode;
  size: Size;
  queue: LogicalQueueRecord | undefined;
  dtnSystemId: string | undefined;
}

/** Macros whose values are known before any text is substituted. */
export function groundMacros(facts: GroundFacts): Map<string, string | undefined> {
  const { uuid, tenant, owner, created, app, execSystem, archiveMode, size, queue } = facts;
  const timestamp = created.toISOString();
  const [date, time] = timestamp.split('T') as [string, string];
  const some = (text: string | null | undefined) => text || undefined;
  return new Map<string, string | undefined>([
    ['JobUUID', uuid],
    ['Tenant', tenant],
    ['JobOwner', owner],
    ['EffectiveUserId', execSystem.effectiveUserId],
    ['AppId', app.id],
    ['AppVersion', app.version],
    ['ExecSystemId', execSystem.id],
    ['ArchiveSystemId', facts.archiveSystemId],
    ['DynamicExecSystem', 'false'],
    ['ArchiveOnAppError', String(archiveOnAppError(archiveMode))],
    ['ArchiveMode', archiveMode],
    ['SysRootDir', execSystem.rootDir || '/'],
    ['SysHost', execSystem.host],
    ['Nodes', String(size.nodeCount)],
    ['CoresPerNode', String(size.coresPerNode)],
    ['MemoryMB', String(size.memoryMB)],
    ['MaxMinutes', String(size.maxMinutes)],
    ['JobCreateTimestamp', timestamp],
    ['JobCreateDate', `${date}Z`],
    ['JobCreateTime', time],
    ['DtnSystemId', facts.dtnSystemId],
    ['SysBucketName', some(execSystem.bucketName)],
    ['SysBatchScheduler', some(execSystem.batchScheduler)],
    ['ExecSystemLogicalQueue', queue?.name],
    ['ExecSystemHPCQueue', queue?.hpcQueueName],
  ]);
}

/** The platform's own variables in the job's environment: one for every macro that has a value. */
export const jobVariables = (
  macros: ReadonlyMap<string, string | undefined>,
): EffectiveEnvVariable[] =>
  [...macros].flatMap(([name, value]) =>
    value === undefined
      ? []
      : { key: platform().jobVariable(name), value, description: null, notes: null },
  );
