import { platform } from '@libs/platform-name';
import type { VersionAttributes } from './app';
import { ENV_NAME, ENV_NAME_RULE } from './names';

export const schemeOf = (url: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();

/** What file inputs and arrays of them name: sources of known schemes, environment variables that are free. */
export function inputRules({ jobAttributes: job }: VersionAttributes): string[] {
  const { scheme, localScheme } = platform();
  const taken = new Set(job.parameterSet.envVariables.map((v) => v.key));
  return [
    ...job.fileInputs.flatMap(({ sourceUrl, ...input }) => {
      const schemes = ['http', 'https', scheme, localScheme];
      return [
        ...sourceRules('FILEINPUT', input.name, sourceUrl ? [sourceUrl] : [], schemes),
        ...envKeyRules('FILEINPUT', input, taken),
      ];
    }),
    ...job.fileInputArrays.flatMap(({ sourceUrls, ...input }) => [
      ...sourceRules('FILEINPUTARRAY', input.name, sourceUrls ?? [], ['http', 'https', scheme]),
      ...envKeyRules('FILEINPUTARRAY', input, taken),
    ]),
  ];
}

function sourceRules(of: string, name: string, urls: string[], schemes: string[]): string[] {
  return urls
    .filter((url) => !schemes.includes(schemeOf(url) ?? ''))
    .map(
      (url) =>
        `APPLIB_INVALID_${of}_SOURCEURL file input "${name}": "${url}" is not a URL of ${schemes.join(', ')}`,
    );
}

function envKeyRules(
  of: string,
  { name, envKey }: { name: string; envKey?: string },
  taken: Set<string>,
): string[] {
  if (!envKey) return [];
  const called = `envKey "${envKey}" of file input "${name}"`;
  const { jobVariablePrefix } = platform();
  const broken = [
    ...(ENV_NAME.test(envKey) ? [] : [`APPLIB_ENV_VAR_INVALID_NAME ${called} ${ENV_NAME_RULE}`]),
    ...(envKey.startsWith(jobVariablePrefix)
      ? [`APPLIB_ENV_VAR_INVALID_PREFIX ${called} begins with ${jobVariablePrefix}`]
      : []),
    ...(taken.has(envKey)
      ? [
          `APPLIB_INVALID_${of}_ENVKEY_COLLISION ${called} is already the name of an environment variable`,
        ]
      : []),
  ];
  taken.add(envKey);
  return broken;
}
