import { readPattern } from './pattern';
import { character, checkText, refuse, shown } from './refuse';
import { type Token, tokensOf } from './sql-like-tokens';
import { allOf, anyOf, type Condition, type Operator, type SearchTree } from './where';

export const DEEPEST_SEARCH = 50;

const COMPARISONS: Readonly<Record<string, Operator>> = {
  '=': 'eq',
  '<>': 'neq',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
};
const NEGATED = { like: 'nlike', between: 'nbetween', in: 'nin' } as const;
const WORD_OPERATORS = ['like', 'nlike', 'between', 'nbetween', 'in', 'nin'];
const KEYWORDS = ['and', 'or', 'not', 'is', 'null', 'escape', 'true', 'false', ...WORD_OPERATORS];

/**
 * Reads the SQL-like expression of a search body; the strings are joined by blanks. AND binds
 * tighter than OR; LIKE has the wildcards % and _. There is no NOT before a condition or bracket,
 * no IS NULL, no arithmetic and no function.
 */
export function parseSqlLike(strings: readonly string[]): SearchTree | undefined {
  const text = strings.join(' ');
  checkText(text, 'search');
  return new SqlLike(tokensOf(text)).whole();
}

class SqlLike {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): SearchTree | undefined {
    if (this.atEnd()) refuse('the search has no condition');
    const tree = this.any();
    if (!this.atEnd()) this.expected('AND, OR or the end');
    return tree;
  }

  private any(): SearchTree {
    const found = [this.all()];
    while (this.takeWord('or')) found.push(this.all());
    return anyOf(found)!;
  }

  private all(): SearchTree {
    const found = [this.one()];
    while (this.takeWord('and')) found.push(this.one());
    return allOf(found)!;
  }

  private one(): SearchTree {
    const open = this.now;
    if (!this.takeSymbol('(')) return this.condition();
    if (++this.depth > DEEPEST_SEARCH) {
      refuse(`brackets are nested deeper than ${DEEPEST_SEARCH}`, character(open.at, 'search'));
    }
    const tree = this.any();
    if (!this.takeSymbol(')')) this.expected(`the ")" of ${character(open.at, 'search')}`);
    this.depth--;
    return tree;
  }

  private condition(): Condition {
    const { kind, text: attribute, at } = this.now;
    if (this.isWord('not')) {
      refuse('NOT may only stand before LIKE, BETWEEN and IN', character(at, 'search'));
    }
    if (kind !== 'word' || KEYWORDS.includes(attribute.toLowerCase()))
      this.expected('an attribute');
    this.at++;
    const op = this.operator();
    const where = character(at, 'search');
    if (op === 'like' || op === 'nlike') {
      if (this.now.kind !== 'string') this.expected('a text in single quotes');
      const pattern = readPattern(this.literal(), '%', '_');
      if (this.isWord('escape')) this.expected('AND, OR or the end; ESCAPE is not supported');
      return { attribute, op, values: [], pattern, where };
    }
    return { attribute, op, values: this.values(op), where };
  }

  private operator(): Operator {
    const { kind, text } = this.now;
    const comparison = kind === 'symbol' ? COMPARISONS[text] : undefined;
    if (comparison) {
      this.at++;
      return comparison;
    }
    const negated = this.takeWord('not');
    const word = this.now.kind === 'word' ? this.now.text.toLowerCase() : '';
    if (!WORD_OPERATORS.includes(word)) {
      this.expected(
        negated ? 'LIKE, BETWEEN or IN' : 'an operator: = <> < <= > >= LIKE BETWEEN IN',
      );
    }
    const op = negated ? NEGATED[word as keyof typeof NEGATED] : (word as Operator);
    if (!op) this.expected('LIKE, BETWEEN or IN');
    this.at++;
    return op;
  }

  private values(op: Operator): string[] {
    if (op === 'between' || op === 'nbetween') {
      const from = this.literal();
      if (!this.takeWord('and')) this.expected('the AND of BETWEEN');
      return [from, this.literal()];
    }
    if (op !== 'in' && op !== 'nin') return [this.literal()];
    if (!this.takeSymbol('(')) this.expected('the "(" of a list');
    const found = [this.literal()];
    while (this.takeSymbol(',')) found.push(this.literal());
    if (!this.takeSymbol(')')) this.expected('"," or the ")" of a list');
    return found;
  }

  private literal(): string {
    const { kind, text } = this.now;
    const truth = this.isWord('true') || this.isWord('false');
    if (kind !== 'string' && kind !== 'number' && !truth) {
      this.expected('a value: a text in single quotes, a number, TRUE or FALSE');
    }
    this.at++;
    return text;
  }

  private get now(): Token {
    return this.tokens[this.at]!;
  }

  private atEnd(): boolean {
    return this.now.kind === 'end';
  }

  private isWord(word: string): boolean {
    return this.now.kind === 'word' && this.now.text.toLowerCase() === word;
  }

  private takeWord(word: string): boolean {
    const found = this.isWord(word);
    if (found) this.at++;
    return found;
  }

  private takeSymbol(symbol: string): boolean {
    const found = this.now.kind === 'symbol' && this.now.text === symbol;
    if (found) this.at++;
    return found;
  }

  private expected(what: string): never {
    const { kind, text, at } = this.now;
    const found = kind === 'end' ? 'the end' : shown(text);
    refuse(`expected ${what}, found ${found}`, character(at, 'search'));
  }
}
