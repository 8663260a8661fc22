import { hasControlCharacter } from '@libs/macros';
import { platform } from '@libs/platform-name';
import type { EffectiveEnvVariable } from './job-definition';
import type { RequestedEnvVariable } from './job-request';
import type { JobViolations } from './job-violations';
import { bothTexts, repeated } from './merge-text';
import type { DefinedEnvVariable, InputMode } from './records';

interface Entry {
  key: string;
  /** Undefined: no value yet. */
  value: string | undefined;
  mode: InputMode;
  description: string | null;
  notes: Record<string, unknown> | null;
  /** Named by the request without `include: false`. */
  wanted: boolean;
  /** Named by the request with `include: false`. */
  unwanted: boolean;
}

const KEY = /^[A-Za-z_]\w*$/;

/** Tells what is wrong with the name of an environment variable; undefined when nothing is. */
export function envKeyProblem(key: string): string | undefined {
  if (!KEY.test(key))
    return `"${key}" is not a letter or underscore, then letters, digits, underscores`;
  const prefix = platform().jobVariablePrefix;
  return key.startsWith(prefix) ? `"${key}" begins with the reserved ${prefix}` : undefined;
}

/** The job's environment: the system's under the app's under the request's, unsorted. */
export function mergeEnv(
  system: readonly DefinedEnvVariable[],
  app: readonly DefinedEnvVariable[],
  request: readonly RequestedEnvVariable[],
  violations: JobViolations,
): EffectiveEnvVariable[] {
  for (const [whose, list] of [['system', system], ['app', app], ['request', request]] as const) {
    for (const key of repeated(list.map((v) => v.key))) {
      violations.add('JOBS_DUPLICATE_ENV_VAR', `envVariables of the ${whose} has "${key}" twice`);
    }
  } // prettier-ignore
  const entries = new Map<string, Entry>();
  for (const variable of system) addSystem(entries, variable, violations);
  for (const variable of app) addApp(entries, variable, violations);
  for (const variable of request) addRequest(entries, variable, violations);
  return [...entries.values()].flatMap((entry) => settle(entry, violations));
}

/** The marker and an absent value of a REQUIRED variable both say that there is none. */
function valueOf(value: string | null | undefined, mode: InputMode): string | undefined {
  if (value === platform().unset) return undefined;
  return value ?? (mode === 'REQUIRED' ? undefined : '');
}

function entryOf(variable: DefinedEnvVariable): Entry {
  const mode = variable.inputMode ?? 'INCLUDE_BY_DEFAULT';
  return {
    key: variable.key,
    value: valueOf(variable.value, mode),
    mode,
    description: variable.description ?? null,
    notes: variable.notes ?? null,
    wanted: false,
    unwanted: false,
  };
}

function addSystem(entries: Map<string, Entry>, variable: DefinedEnvVariable, v: JobViolations) {
  const entry = entryOf(variable);
  const { key, mode, value } = entry;
  if (mode === 'REQUIRED' && value) {
    v.add(
      'JOBS_INVALID_REQUIRED_ENV_VAR',
      `"${key}" is REQUIRED by the system, yet has a value there`,
    );
  }
  if (mode === 'REQUIRED') entry.value = undefined;
  checkFixed(entry, 'system', v);
  entries.set(key, entry);
}

function checkFixed(entry: Entry, whose: string, v: JobViolations) {
  const { key, mode, value } = entry;
  if (mode !== 'FIXED' || value !== undefined) return;
  v.add('JOBS_INVALID_FIXED_ENV_VAR', `"${key}" is FIXED by the ${whose}, yet has no value`);
  entry.value = '';
}

function addApp(entries: Map<string, Entry>, variable: DefinedEnvVariable, v: JobViolations) {
  const entry = entryOf(variable);
  const under = entries.get(entry.key);
  if (under) {
    if (under.mode === 'FIXED') {
      const same = entry.value === undefined || entry.value === under.value;
      v.check(same, 'JOBS_FIXED_ENV_VAR_ERROR', `"${entry.key}" is FIXED by the system`);
      entry.mode = 'FIXED';
      entry.value = under.value;
    }
    entry.value ??= under.value;
    const include = entry.mode === 'INCLUDE_BY_DEFAULT' || entry.mode === 'INCLUDE_ON_DEMAND';
    if (under.mode === 'REQUIRED' && include) entry.mode = 'REQUIRED';
    entry.description = bothTexts(under.description, entry.description);
    entry.notes ??= under.notes;
  }
  checkFixed(entry, 'app', v);
  entries.set(entry.key, entry);
}

function addRequest(entries: Map<string, Entry>, asked: RequestedEnvVariable, v: JobViolations) {
  const { key } = asked;
  const problem = envKeyProblem(key);
  if (problem) v.add('JOBS_INVALID_ENV_VAR', `key ${problem}`);
  const value = asked.value === platform().unset ? undefined : asked.value;
  const under = entries.get(key);
  if (!under) {
    const entry = entryOf({ key, value: value ?? platform().unset });
    const said = { description: asked.description ?? null, notes: asked.notes ?? null };
    const include = asked.include !== false;
    entries.set(key, { ...entry, ...said, wanted: include, unwanted: !include });
    return;
  }
  if (under.mode === 'FIXED' && value != null && value !== under.value) {
    v.add('JOBS_FIXED_ENV_VAR_ERROR', `"${key}" is FIXED and can't be given another value`);
  } else if (under.mode !== 'FIXED') under.value = value ?? under.value;
  under.description = bothTexts(under.description, asked.description);
  under.notes = asked.notes ?? under.notes;
  under.wanted = asked.include !== false;
  under.unwanted = asked.include === false;
}

function settle(entry: Entry, v: JobViolations): EffectiveEnvVariable[] {
  const { key, value, mode, description, notes, wanted, unwanted } = entry;
  const optional = mode === 'INCLUDE_BY_DEFAULT' || mode === 'INCLUDE_ON_DEMAND';
  if (optional && unwanted) return [];
  if (mode === 'INCLUDE_ON_DEMAND' && !wanted) return [];
  if (value === undefined) {
    if (mode === 'INCLUDE_BY_DEFAULT' && !wanted) return [];
    v.add('JOBS_MISSING_ENV_VALUE', `environment variable "${key}" has no value`);
    return [];
  }
  const clean = !hasControlCharacter(value);
  v.check(clean, 'JOBS_INVALID_ENV_VAR', `value of "${key}" holds a control character`);
  return [{ key, value, description, notes }];
}

/** In the order of their keys, whatever their case. */
export const sortEnv = (variables: EffectiveEnvVariable[]): EffectiveEnvVariable[] =>
  [...variables].sort((a, b) => {
    const [x, y] = [a.key.toLowerCase(), b.key.toLowerCase()];
    return x < y ? -1 : x > y ? 1 : 0;
  });
