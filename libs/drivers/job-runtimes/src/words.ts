import { quote } from '@libs/hosts';
import { isMacroError, splitWords, type Word } from '@libs/macros';
import { Unlaunchable } from './unlaunchable';

/** The words of all arguments, one after the other. */
export function wordsOf(args: readonly string[]): Word[] {
  try {
    return args.flatMap(splitWords);
  } catch (error) {
    throw isMacroError(error) ? new Unlaunchable(error.message) : error;
  }
}

/**
 * Words as shell text. Variables are left to the host's shell, quoted, so that nothing splits or matches files;
 * those that `known` has are put in here.
 */
export function shellWords(words: readonly Word[], known?: ReadonlyMap<string, string>): string {
  return words
    .map((word) => {
      const text = word.map((piece) => {
        if ('text' in piece) return quote(piece.text);
        const value = known?.get(piece.variable);
        return value === undefined ? `"\${${piece.variable}}"` : quote(value);
      });
      return text.join('') || "''";
    })
    .join(' ');
}
