import { BadInput } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import type { Credential } from './credential';
import { halfPairs } from './credential';
import { DYNAMIC_USER, isDynamic } from './effective-user';
import { hostEvalOf } from './root-dir';
import type { SystemAttributes } from './system';

/** Rules over several attributes; each broken one is a text with its code (systems-apps contract, 2.2). */
export function brokenRules(system: SystemAttributes, credential?: Credential): string[] {
  return [
    ...typeRules(system),
    ...execRules(system),
    ...batchRules(system),
    ...variableRules(system),
    ...userRules(system),
    ...credentialRules(system, credential),
  ];
}

export function assertRules(system: SystemAttributes, credential?: Credential): void {
  const violations = brokenRules(system, credential);
  if (violations.length)
    throw new BadInput(
      'SYSLIB_CREATE_INVALID_ERRORLIST',
      `system "${system.id}" breaks rules`,
      violations,
    );
}

function typeRules({ systemType, rootDir, port, bucketName, canExec }: SystemAttributes): string[] {
  const broken: string[] = [];
  if (systemType === 'LINUX' || systemType === 'IRODS') {
    if (!rootDir) broken.push(`SYSLIB_NOROOTDIR rootDir is required for ${systemType}`);
    else if (!rootDir.startsWith('/') && !hostEvalOf(rootDir))
      broken.push('SYSLIB_ROOTDIR_NOSLASH rootDir must begin with /');
  }
  if (systemType === 'IRODS' && port < 1) broken.push('SYSLIB_NOPORT port is required for IRODS');
  if (systemType === 'S3' && !bucketName)
    broken.push('SYSLIB_S3_NOBUCKET_INPUT bucketName is required for S3');
  if (systemType === 'S3' && canExec)
    broken.push("SYSLIB_S3_CANEXEC_INPUT an S3 system can't execute jobs: canExec must be false");
  return broken;
}

function execRules(system: SystemAttributes): string[] {
  const broken: string[] = [];
  if (system.canExec) {
    if (system.systemType !== 'LINUX')
      broken.push(
        `SYSLIB_CANEXEC_INVALID_SYSTYPE canExec needs systemType LINUX, not ${system.systemType}`,
      );
    if (!system.jobWorkingDir)
      broken.push(
        'SYSLIB_CANEXEC_NO_JOBWORKINGDIR_INPUT jobWorkingDir is required when canExec is true',
      );
    if (!system.jobRuntimes?.length)
      broken.push(
        'SYSLIB_CANEXEC_NO_JOBRUNTIME_INPUT at least one of jobRuntimes is required when canExec is true',
      );
  } else if (system.dtnSystemId) {
    broken.push('SYSLIB_DTN_CANEXEC_FALSE dtnSystemId needs canExec true');
  }
  return broken;
}

function batchRules(system: SystemAttributes): string[] {
  if (!system.canRunBatch) return [];
  const broken: string[] = [];
  const { batchLogicalQueues: queues, batchDefaultLogicalQueue: usual } = system;
  if (!system.batchScheduler)
    broken.push('SYSLIB_ISBATCH_NOSCHED batchScheduler is required when canRunBatch is true');
  if (!queues.length)
    broken.push(
      'SYSLIB_ISBATCH_NOQUEUES at least one of batchLogicalQueues is required when canRunBatch is true',
    );
  else if (!usual)
    broken.push(
      'SYSLIB_ISBATCH_NODEFAULTQ batchDefaultLogicalQueue is required with several batchLogicalQueues',
    );
  else if (!queues.some((q) => q.name === usual))
    broken.push(
      `SYSLIB_ISBATCH_DEFAULTQ_NOTINLIST batchDefaultLogicalQueue "${usual}" is none of batchLogicalQueues`,
    );
  return broken;
}

function variableRules({ jobEnvVariables }: SystemAttributes): string[] {
  const { unset, jobVariablePrefix } = platform();
  return jobEnvVariables.flatMap(({ key, value, inputMode }) => {
    const broken: string[] = [];
    if (key.startsWith(jobVariablePrefix))
      broken.push(
        `SYSLIB_ENV_VAR_INVALID_PREFIX environment variable "${key}" begins with ${jobVariablePrefix}, which is kept for the platform`,
      );
    if (!/^[A-Za-z_]\w*$/.test(key))
      broken.push(
        `SYSLIB_ENV_VAR_INVALID_NAME environment variable "${key}" must begin with a letter or underscore, then letters, digits, underscores`,
      );
    if (inputMode === 'FIXED' && (value === undefined || value === unset))
      broken.push(
        `SYSLIB_ENV_VAR_FIXED_UNSET environment variable "${key}" is FIXED and has no value`,
      );
    if (inputMode === 'REQUIRED' && value !== undefined && value !== unset)
      broken.push(
        `SYSLIB_ENV_VAR_REQUIRED_SET environment variable "${key}" is REQUIRED: jobs give its value, the system must not`,
      );
    if (/[\u0000-\u001f\u007f-\u009f]/.test(value ?? ''))
      broken.push(
        `SYSLIB_CTL_CHR_ATTR the value of environment variable "${key}" has a control character`,
      );
    return broken;
  });
}

function userRules({ effectiveUserId }: SystemAttributes): string[] {
  return isDynamic(effectiveUserId) || !effectiveUserId.includes('${')
    ? []
    : [
        `SYSLIB_INVALID_STR_ATTR effectiveUserId "${effectiveUserId}" is neither a login nor ${DYNAMIC_USER}`,
      ];
}

function credentialRules(system: SystemAttributes, credential: Credential | undefined): string[] {
  const dynamic = isDynamic(system.effectiveUserId);
  const broken = credential ? halfPairs(credential) : [];
  if (credential && dynamic)
    broken.push(
      "SYSLIB_CRED_DISALLOWED_INPUT authnCredential can't come with a dynamic effectiveUserId: each user registers one",
    );
  if (credential?.loginUser && !dynamic)
    broken.push(
      "SYSLIB_CRED_INVALID_LOGINUSER loginUser can't be set for a static effectiveUserId",
    );
  return [...broken, ...hostEvalRules(system, credential, dynamic)];
}

function hostEvalRules(
  { rootDir, systemType }: SystemAttributes,
  credential: Credential | undefined,
  dynamic: boolean,
): string[] {
  if (!rootDir.includes('HOST_EVAL')) return [];
  const broken: string[] = [];
  if (!hostEvalOf(rootDir))
    broken.push(
      'SYSLIB_ROOT_HOST_EVAL_MULTIPLE HOST_EVAL($NAME) may stand once in rootDir, as its first element',
    );
  if (systemType !== 'LINUX')
    broken.push('SYSLIB_ROOT_HOST_EVAL_SYSTYPE HOST_EVAL in rootDir needs systemType LINUX');
  if (dynamic)
    broken.push('SYSLIB_ROOT_HOST_EVAL_EFFUSR HOST_EVAL in rootDir needs a static effectiveUserId');
  else if (!credential)
    broken.push(
      'SYSLIB_ROOT_HOST_EVAL_CREDS HOST_EVAL in rootDir needs authnCredential in the same request',
    );
  return broken;
}
