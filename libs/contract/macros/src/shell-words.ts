import { MacroError } from './macro-error';

/** A stretch of text, or the name of a variable of the job's environment whose value stands there. */
export type Piece = { readonly text: string } | { readonly variable: string };
/** One word that reaches the program; an empty list is the empty word. */
export type Word = readonly Piece[];

const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/y;

/**
 * Splits an argument as a POSIX shell splits: blanks separate, quotes and backslash group, `$NAME` and `${NAME}`
 * outside single quotes are variables. Nothing else is special: no globs, no operators. Command substitution and
 * unbalanced quotes are errors.
 */
export function splitWords(argument: string): Word[] {
  const words: Piece[][] = [];
  let word: Piece[] | undefined;
  let text = '';
  const flush = () => {
    if (text) (word ??= []).push({ text });
    text = '';
  };
  const end = () => {
    flush();
    if (word) words.push(word);
    word = undefined;
  };
  const fail = (rule: string): never => {
    throw new MacroError(`argument "${argument}" ${rule}`);
  };
  /** Takes what a `$` or a backtick at `i` means; answers the index behind it. */
  const special = (i: number): number => {
    if (argument[i] === '`' || argument.startsWith('$(', i)) fail('holds a command substitution');
    VARIABLE.lastIndex = i;
    const found = VARIABLE.exec(argument);
    if (!found) {
      text += argument[i];
      return i + 1;
    }
    flush();
    (word ??= []).push({ variable: found[1] ?? found[2]! });
    return VARIABLE.lastIndex;
  };
  const doubleQuoted = (start: number): number => {
    let i = start;
    while (i < argument.length && argument[i] !== '"') {
      const c = argument[i]!;
      if (c === '\\' && '$`"\\'.includes(argument[i + 1] ?? ' ')) {
        text += argument[i + 1]!;
        i += 2;
      } else if (c === '$' || c === '`') i = special(i);
      else {
        text += c;
        i++;
      }
    }
    return i < argument.length ? i + 1 : fail('has an unbalanced double quote');
  };
  for (let i = 0; i < argument.length;) {
    const c = argument[i]!;
    if (c === ' ' || c === '\t' || c === '\n') {
      end();
      i++;
    } else if (c === "'") {
      const close = argument.indexOf("'", i + 1);
      if (close < 0) fail('has an unbalanced single quote');
      word ??= [];
      text += argument.slice(i + 1, close);
      i = close + 1;
    } else if (c === '"') {
      word ??= [];
      i = doubleQuoted(i + 1);
    } else if (c === '\\') {
      if (i + 1 >= argument.length) fail('ends in a backslash');
      text += argument[i + 1]!;
      i += 2;
    } else if (c === '$' || c === '`') i = special(i);
    else {
      text += c;
      i++;
    }
  }
  end();
  return words;
}

/** The word's text with variables as `$NAME`, for comparing option names. */
export const plainText = (word: Word): string =>
  word.map((piece) => ('text' in piece ? piece.text : `$${piece.variable}`)).join('');
