import type { EffectiveArg } from './job-definition';
import type { RequestedArg } from './job-request';
import type { JobViolations } from './job-violations';
import { bothTexts, firstText, repeated } from './merge-text';
import type { AppArg } from './records';

export type ArgKind = 'appArgs' | 'containerArgs' | 'schedulerOptions';

/**
 * The arguments of a job: those of the request in their order, then those of the app that the request did not
 * name, in the app's order. The app's input mode decides what may be overridden, left out or missing.
 */
export function mergeArgs(
  kind: ArgKind,
  app: readonly AppArg[],
  request: readonly RequestedArg[],
  violations: JobViolations,
): EffectiveArg[] {
  for (const [whose, list] of [['app', app], ['request', request]] as const) {
    for (const name of repeated(list.map((a) => a.name))) {
      violations.add('JOBS_DUPLICATE_NAMED_ARG', `${kind} of the ${whose} has "${name}" twice`);
    }
  } // prettier-ignore
  const byName = new Map(app.filter((a) => a.name).map((a) => [a.name!, a]));
  const named = new Set<AppArg>();
  const merged: EffectiveArg[] = [];
  const missing = (name?: string | null) =>
    violations.add(
      'JOBS_MISSING_ARG',
      `${kind} has ${name ? `"${name}"` : 'an entry'} without a value`,
    );

  for (const asked of request) {
    const defined = asked.name ? byName.get(asked.name) : undefined;
    if (defined) named.add(defined);
    const mode = defined && (defined.inputMode ?? 'INCLUDE_ON_DEMAND');
    const mayLeaveOut = mode !== 'REQUIRED' && mode !== 'FIXED';
    if (asked.include === false && mayLeaveOut) continue;
    if (mode === 'FIXED') {
      const same = asked.arg == null || asked.arg === defined!.arg;
      violations.check(same, 'JOBS_FIXED_ARG_ERROR', `${kind} "${asked.name}" is FIXED by the app`);
      merged.push(effective(defined!));
      continue;
    }
    const arg = firstText(asked.arg, defined?.arg);
    if (arg !== undefined) merged.push(effective(defined ?? {}, asked, arg));
    else if (mode !== 'INCLUDE_BY_DEFAULT') missing(asked.name);
  }
  for (const defined of app) {
    const mode = defined.inputMode ?? 'INCLUDE_ON_DEMAND';
    if (named.has(defined) || mode === 'INCLUDE_ON_DEMAND') continue;
    if (firstText(defined.arg) !== undefined) merged.push(effective(defined));
    else if (mode !== 'INCLUDE_BY_DEFAULT') missing(defined.name);
  }
  return merged;
}

/** The queue's options lie under the app's: the app overrides those it names. */
export function underlay(queue: readonly AppArg[], app: readonly AppArg[]): AppArg[] {
  const names = new Set(app.map((a) => a.name).filter(Boolean));
  const under = queue.filter((a) => !a.name || !names.has(a.name));
  return [
    ...under.map((a) => ({ ...a, inputMode: a.inputMode ?? ('INCLUDE_BY_DEFAULT' as const) })),
    ...app,
  ];
}

const effective = (defined: AppArg, asked?: RequestedArg, arg?: string): EffectiveArg => ({
  name: asked?.name ?? defined.name ?? null,
  description: bothTexts(defined.description, asked?.description),
  arg: arg ?? defined.arg ?? '',
  notes: asked?.notes ?? defined.notes ?? null,
});
