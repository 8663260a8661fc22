import { platform } from '@libs/platform-name';
import type { JobEnvVariable } from '../job-env-variable';
import type { RuleGroup } from './rule-group';

/** Variables that jobs on the system get. */
export const variableRules: RuleGroup = {
  reads: ['jobEnvVariables'],
  broken: ({ jobEnvVariables }) => jobEnvVariables.flatMap(brokenBy),
};

function brokenBy({ key, value, inputMode }: JobEnvVariable): string[] {
  const { unset, jobVariablePrefix } = platform();
  const broken: string[] = [];
  const named = `environment variable "${key}"`;
  if (key.startsWith(jobVariablePrefix))
    broken.push(
      `SYSLIB_ENV_VAR_INVALID_PREFIX ${named} begins with ${jobVariablePrefix}, which is kept for the platform`,
    );
  if (!/^[A-Za-z_]\w*$/.test(key))
    broken.push(
      `SYSLIB_ENV_VAR_INVALID_NAME ${named} must begin with a letter or underscore, then letters, digits, underscores`,
    );
  if (inputMode === 'FIXED' && (value === undefined || value === unset))
    broken.push(`SYSLIB_ENV_VAR_FIXED_UNSET ${named} is FIXED and has no value`);
  if (inputMode === 'REQUIRED' && value !== undefined && value !== unset)
    broken.push(
      `SYSLIB_ENV_VAR_REQUIRED_SET ${named} is REQUIRED: jobs give its value, the system must not`,
    );
  if (value !== undefined && /\p{Cc}/u.test(value))
    broken.push(`SYSLIB_CTL_CHR_ATTR the value of ${named} has a control character`);
  return broken;
}
