import { platform } from '@libs/platform-name';
import type { VersionAttributes } from './app';
import { schemeOf } from './input-rules';

/** An archive of a ZIP app lies on the execution system, or is fetched. */
export function imageRules({ runtime, containerImage }: VersionAttributes): string[] {
  const schemes = ['http', 'https', platform().scheme];
  const scheme = schemeOf(containerImage);
  const fits = scheme ? schemes.includes(scheme) : containerImage.startsWith('/');
  return runtime === 'ZIP' && !fits
    ? [
        `APPLIB_INVALID_CONTAINERIZED_ZIP_IMAGE containerImage of runtime ZIP must be an absolute path or a URL of ${schemes.join(', ')}`,
      ]
    : [];
}

export function runtimeOptionRules({ runtime, runtimeOptions }: VersionAttributes): string[] {
  return runtimeOptions.includes('SINGULARITY_RUN') && runtime !== 'SINGULARITY'
    ? [
        `APPLIB_CONTAINERIZED_SING_OPT runtimeOptions SINGULARITY_RUN does not go with runtime ${runtime}`,
      ]
    : [];
}

/** Archives have one argument of their own, which containers do not know. */
export function containerArgumentRules({ runtime, jobAttributes }: VersionAttributes): string[] {
  const { zipSave } = platform();
  return jobAttributes.parameterSet.containerArgs.flatMap(({ name, arg }) => {
    const saves = arg?.trim() === zipSave;
    if (saves && runtime !== 'ZIP')
      return [
        `APPLIB_CON_ARG_ZIP_SAV_NOTZIP container argument "${name}": ${arg} is for runtime ZIP only`,
      ];
    return !saves && arg && runtime === 'ZIP'
      ? [
          `APPLIB_CON_ARG_NOT_SUPPORTED container argument "${name}": runtime ZIP takes ${zipSave} only`,
        ]
      : [];
  });
}
