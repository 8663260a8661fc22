import { character, refuse, shown } from './refuse';

export interface Token {
  readonly kind: 'word' | 'string' | 'number' | 'symbol' | 'end';
  /** Without quotes; words in lower case are compared by the parser. */
  readonly text: string;
  readonly at: number;
}

const WORD = /[A-Za-z][A-Za-z0-9_]*/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const SYMBOL = /<>|<=|>=|[=<>(),]/y;
const BLANK = /(?:\s+|--[^\n]*|\/\*[^]*?\*\/)+/y;

/** Cuts a boolean expression into words, literals and symbols; comments and blanks are skipped. */
export function tokensOf(text: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const blank = take(BLANK);
    if (blank) {
      at += blank.length;
      continue;
    }
    const [kind, piece, value] = next(text, at, take);
    found.push({ kind, text: value, at });
    at += piece.length;
  }
  found.push({ kind: 'end', text: '', at });
  return found;
}

function next(
  text: string,
  at: number,
  take: (pattern: RegExp) => string | undefined,
): [Token['kind'], string, string] {
  if (text[at] === "'") {
    const quoted = /'(?:[^']|'')*'/y;
    const piece =
      take(quoted) ?? refuse('a text without its closing quote', character(at, 'search'));
    return ['string', piece, piece.slice(1, -1).replaceAll("''", "'")];
  }
  const number = take(NUMBER);
  if (number) return ['number', number, number];
  const word = take(WORD);
  if (word) return ['word', word, word];
  const symbol = take(SYMBOL);
  if (symbol) return ['symbol', symbol, symbol];
  refuse(`${shown(text[at]!)} has no meaning here`, character(at, 'search'));
}
