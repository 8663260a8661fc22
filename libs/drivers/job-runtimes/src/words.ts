import { quote } from '@libs/hosts';
import { Unlaunchable } from './unlaunchable';

/** A piece of a word: text that stays as it is, or a variable of the job's environment. */
export type Part = string | { readonly variable: string };
export type Word = readonly Part[];

const NAME = /^[A-Za-z_][A-Za-z0-9_]*/;
const BRACED = /^\{([A-Za-z_][A-Za-z0-9_]*)\}/;

/**
 * The words of one argument, split as a POSIX shell splits: blanks separate, quotes and backslash group.
 * `$NAME` and `${NAME}` outside single quotes are variables. Everything else means itself; command substitution and
 * unbalanced quotes are refused.
 */
export function splitWords(argument: string): Word[] {
  return new Splitter(argument).words();
}

class Splitter {
  private at = 0;
  private word: Part[] | undefined;
  private readonly found: Word[] = [];

  constructor(private readonly text: string) {}

  words(): Word[] {
    while (this.at < this.text.length) {
      const c = this.text[this.at]!;
      if (c === ' ' || c === '\t') this.close();
      else if (c === "'") this.single();
      else if (c === '"') this.double();
      else if (c === '\\') this.escaped();
      else this.plain(c);
      this.at++;
    }
    this.close();
    return this.found;
  }

  private close(): void {
    if (this.word) this.found.push(this.word);
    this.word = undefined;
  }

  private add(part: Part): void {
    const word = (this.word ??= []);
    const last = word.length - 1;
    if (typeof part === 'string' && typeof word[last] === 'string') word[last] += part;
    else if (part !== '') word.push(part);
  }

  private single(): void {
    const end = this.text.indexOf("'", this.at + 1);
    if (end < 0) this.refuse("has a ' without its partner");
    this.add(this.text.slice(this.at + 1, end));
    this.at = end;
  }

  private double(): void {
    this.add('');
    for (this.at++; this.at < this.text.length; this.at++) {
      const c = this.text[this.at]!;
      if (c === '"') return;
      if (c === '\\' && '$`"\\'.includes(this.text[this.at + 1] ?? ' ')) this.escaped();
      else if (c === '\\') this.add(c);
      else this.plain(c);
    }
    this.refuse('has a " without its partner');
  }

  private escaped(): void {
    if (this.at + 1 >= this.text.length) this.refuse('ends with a backslash');
    this.add(this.text[++this.at]!);
  }

  private plain(c: string): void {
    if (c === '`') this.refuse('has a command substitution (`)');
    if (c !== '$') return this.add(c);
    const rest = this.text.slice(this.at + 1);
    if (rest.startsWith('(')) this.refuse('has a command substitution ($()');
    const bare = NAME.exec(rest)?.[0];
    const braced = BRACED.exec(rest);
    const variable = braced?.[1] ?? bare;
    if (!variable) return this.add(c);
    this.add({ variable });
    this.at += braced ? braced[0].length : variable.length;
  }

  private refuse(why: string): never {
    throw new Unlaunchable(`The argument ${JSON.stringify(this.text)} ${why}`);
  }
}

/** The words of all arguments, one after the other. */
export const wordsOf = (args: readonly string[]): Word[] => args.flatMap(splitWords);

/**
 * Words as shell text. Variables are left to the host's shell, quoted, so that nothing splits or matches files;
 * those that `known` has are put in here.
 */
export function shellWords(words: readonly Word[], known?: ReadonlyMap<string, string>): string {
  return words
    .map((word) => {
      const text = word.map((part) => {
        if (typeof part === 'string') return quote(part);
        const value = known?.get(part.variable);
        return value === undefined ? `"\${${part.variable}}"` : quote(value);
      });
      return text.join('') || "''";
    })
    .join(' ');
}

/** Text of a word without variables, or undefined when it has some. */
export function plainText(word: Word): string | undefined {
  return word.every((p) => typeof p === 'string') ? word.join('') : undefined;
}
