import type { EffectiveEnvVariable } from './job-definition';
import type { JobViolations } from './job-violations';
import { envKeyProblem } from './merge-env';

/** Adds the variables that file inputs and arrays ask for by their envKey. */
export function addEnvKeys(
  env: EffectiveEnvVariable[],
  inputs: readonly { name: string | null; envKey: string | null; targetPath: string }[],
  arrays: readonly { called: string; envKey: string; value: string }[],
  v: JobViolations,
): EffectiveEnvVariable[] {
  const keys = new Set(env.map((e) => e.key));
  const added = [...env];
  const wanted = [
    ...inputs.flatMap(({ name, envKey, targetPath }) =>
      envKey ? [{ called: `file input "${name ?? targetPath}"`, envKey, value: targetPath }] : [],
    ),
    ...arrays,
  ];
  for (const { called, envKey, value } of wanted) {
    const problem = envKeyProblem(envKey);
    if (problem) v.add('JOBS_INVALID_INPUT_ENVKEY', `envKey of ${called}: ${problem}`);
    else if (keys.has(envKey))
      v.add('JOBS_DUPLICATE_ENV_VAR', `envKey "${envKey}" of ${called} is taken`);
    keys.add(envKey);
    added.push({ key: envKey, value, description: null, notes: null });
  }
  return added;
}
