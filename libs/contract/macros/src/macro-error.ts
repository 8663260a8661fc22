/** A macro or an argument text that cannot be made sense of; the message names it and the rule. */
export class MacroError extends Error {
  readonly isMacroError = true;
}

export const isMacroError = (error: unknown): error is MacroError =>
  error instanceof Error && 'isMacroError' in error;
