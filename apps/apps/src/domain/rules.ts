import { BadInput } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import type { VersionAttributes } from './app';
import type { Arg } from './parameter-set';

const URL_SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

/** Rules over several attributes of a version; each broken one is a text with its code. */
export function brokenRules(app: VersionAttributes): string[] {
  return [...jobRules(app), ...runtimeRules(app), ...environmentRules(app), ...inputRules(app)];
}

export function assertRules(app: VersionAttributes, what: string): void {
  const violations = brokenRules(app);
  if (violations.length) throw new BadInput('APPLIB_INVALID', `${what} breaks rules`, violations);
}

function jobRules({ jobAttributes: job }: VersionAttributes): string[] {
  const broken: string[] = [];
  if (job.dynamicExecSystem || job.execSystemConstraints?.length) {
    broken.push(
      'APPLIB_DYNAMIC_NOCONSTRAINTS dynamic selection of the execution system is not supported: dynamicExecSystem must be false and execSystemConstraints unset',
    );
  }
  if (job.archiveSystemId && !job.archiveSystemDir) {
    broken.push(
      'APPLIB_ARCHIVE_NODIR jobAttributes.archiveSystemDir is required with archiveSystemId',
    );
  }
  return broken;
}

function runtimeRules(app: VersionAttributes): string[] {
  const broken: string[] = [];
  const { runtime, containerImage, jobAttributes } = app;
  const scheme = URL_SCHEME.exec(containerImage)?.[1]?.toLowerCase();
  const zipSchemes = ['http', 'https', platform().scheme];
  if (
    runtime === 'ZIP' &&
    !(scheme ? zipSchemes.includes(scheme) : containerImage.startsWith('/'))
  ) {
    broken.push(
      `APPLIB_INVALID_CONTAINERIZED_ZIP_IMAGE containerImage of runtime ZIP must be an absolute path or a URL of ${zipSchemes.join(', ')}`,
    );
  }
  if (app.runtimeOptions.includes('SINGULARITY_RUN') && runtime !== 'SINGULARITY') {
    broken.push(
      `APPLIB_CONTAINERIZED_SING_OPT runtimeOptions SINGULARITY_RUN does not go with runtime ${runtime}`,
    );
  }
  for (const { name, arg } of jobAttributes.parameterSet.containerArgs) {
    const saves = arg?.trim() === platform().zipSave;
    if (saves && runtime !== 'ZIP')
      broken.push(
        `APPLIB_CON_ARG_ZIP_SAV_NOTZIP container argument "${name}": ${arg} is for runtime ZIP only`,
      );
    if (!saves && arg && runtime === 'ZIP')
      broken.push(
        `APPLIB_CON_ARG_NOT_SUPPORTED container argument "${name}": runtime ZIP takes ${platform().zipSave} only`,
      );
  }
  return broken;
}

function environmentRules({ jobAttributes: { parameterSet } }: VersionAttributes): string[] {
  const broken: string[] = [];
  for (const { key, value, inputMode } of parameterSet.envVariables) {
    if (key.startsWith(platform().jobVariablePrefix))
      broken.push(
        `APPLIB_ENV_VAR_INVALID_PREFIX environment variable "${key}" begins with ${platform().jobVariablePrefix}, which is kept for the platform`,
      );
    if (inputMode === 'FIXED' && value === platform().unset)
      broken.push(
        `APPLIB_ENV_VAR_FIXED_UNSET environment variable "${key}" is FIXED and has no value`,
      );
    if (hasControl(value))
      broken.push(
        `APPLIB_CTL_CHR_ATTR the value of environment variable "${key}" has a control character`,
      );
  }
  const args: [string, Arg[]][] = [
    ['appArgs', parameterSet.appArgs],
    ['containerArgs', parameterSet.containerArgs],
    ['schedulerOptions', parameterSet.schedulerOptions],
  ];
  for (const [list, entries] of args) {
    for (const { name, arg } of entries) {
      if (hasControl(arg ?? ''))
        broken.push(`APPLIB_CTL_CHR_ATTR ${list} "${name}" has a control character`);
    }
  }
  return broken;
}

function inputRules({ jobAttributes: job }: VersionAttributes): string[] {
  const broken: string[] = [];
  const keys = new Set(job.parameterSet.envVariables.map((v) => v.key));
  const { scheme, localScheme, jobVariablePrefix } = platform();
  const inputs = [
    ...job.fileInputs.map((i) => ({
      of: 'FILEINPUT',
      name: i.name,
      envKey: i.envKey,
      urls: i.sourceUrl ? [i.sourceUrl] : [],
      schemes: ['http', 'https', scheme, localScheme],
    })),
    ...job.fileInputArrays.map((i) => ({
      of: 'FILEINPUTARRAY',
      name: i.name,
      envKey: i.envKey,
      urls: i.sourceUrls ?? [],
      schemes: ['http', 'https', scheme],
    })),
  ];
  for (const input of inputs) {
    for (const url of input.urls) {
      if (!input.schemes.includes(URL_SCHEME.exec(url)?.[1]?.toLowerCase() ?? '')) {
        broken.push(
          `APPLIB_INVALID_${input.of}_SOURCEURL file input "${input.name}": "${url}" is not a URL of ${input.schemes.join(', ')}`,
        );
      }
    }
    if (!input.envKey) continue;
    if (input.envKey.startsWith(jobVariablePrefix))
      broken.push(
        `APPLIB_ENV_VAR_INVALID_PREFIX envKey "${input.envKey}" of file input "${input.name}" begins with ${jobVariablePrefix}`,
      );
    if (keys.has(input.envKey))
      broken.push(
        `APPLIB_INVALID_${input.of}_ENVKEY_COLLISION envKey "${input.envKey}" of file input "${input.name}" is already the name of an environment variable`,
      );
    keys.add(input.envKey);
  }
  return broken;
}

const hasControl = (text: string): boolean => /[\u0000-\u001f\u007f-\u009f]/.test(text);
