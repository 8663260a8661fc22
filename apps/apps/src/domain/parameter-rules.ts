import { platform } from '@libs/platform-name';
import type { VersionAttributes } from './app';
import { ENV_NAME, ENV_NAME_RULE } from './names';

/** Environment variables: names, the prefix that is the platform's own, values that must be there. */
export function environmentRules({ jobAttributes }: VersionAttributes): string[] {
  const { jobVariablePrefix, unset } = platform();
  return jobAttributes.parameterSet.envVariables.flatMap(({ key, value, inputMode }) => {
    const called = `environment variable "${key}"`;
    return [
      ...(ENV_NAME.test(key) ? [] : [`APPLIB_ENV_VAR_INVALID_NAME ${called} ${ENV_NAME_RULE}`]),
      ...(key.startsWith(jobVariablePrefix)
        ? [
            `APPLIB_ENV_VAR_INVALID_PREFIX ${called} begins with ${jobVariablePrefix}, which is kept for the platform`,
          ]
        : []),
      ...(inputMode === 'FIXED' && value === unset
        ? [`APPLIB_ENV_VAR_FIXED_UNSET ${called} is FIXED and has no value`]
        : []),
    ];
  });
}

/** A patch may name one of the two where there was none. */
export function logRules({ jobAttributes }: VersionAttributes): string[] {
  const { logConfig } = jobAttributes.parameterSet;
  return logConfig && !(logConfig.stdoutFilename && logConfig.stderrFilename)
    ? ['APPLIB_LOG_CONFIG logConfig needs both stdoutFilename and stderrFilename']
    : [];
}
