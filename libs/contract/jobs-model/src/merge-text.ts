/** The first value that is neither null nor absent. */
export const first = <T>(...values: (T | null | undefined)[]): T | undefined =>
  values.find((v): v is T & {} => v !== null && v !== undefined) as T | undefined;

/** The first text that is not blank. */
export const firstText = (...values: (string | null | undefined)[]): string | undefined =>
  values.find((v): v is string => typeof v === 'string' && v.trim() !== '');

/** The app's description, a blank line, the request's. */
export const bothTexts = (app?: string | null, request?: string | null): string | null =>
  [app, request].filter(Boolean).join('\n\n') || null;

/** Names that occur more than once. */
export function repeated(names: readonly (string | null | undefined)[]): string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const name of names) {
    if (name == null) continue;
    if (seen.has(name)) twice.add(name);
    seen.add(name);
  }
  return [...twice];
}
