import type { Leaf, PatternPart, Tree } from './search-evaluator';

/** Numbers below `n`, always the same ones for a seed. */
export function dice(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

type Roll = ReturnType<typeof dice>;
const pick = <T>(roll: Roll, ...choices: T[]): T => choices[roll(choices.length)]!;
const anyCase = (roll: Roll, word: string) =>
  pick(roll, word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1));

/** The spellings of an attribute: execSystemId, exec_system_id, ExecSystemId. */
const spelled = (roll: Roll, name: string) =>
  pick(
    roll,
    name,
    name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase(),
    name[0]!.toUpperCase() + name.slice(1),
  );

/** `attribute.operator` and the value, as conditions of `search=` and of GET search have it. */
export function asCondition(leaf: Leaf, roll: Roll): [name: string, value: string] {
  const text = leaf.pattern
    ? leaf.pattern.map((part) => wild(part, '*', '!', /[~,()\\*!]/g)).join('')
    : leaf.values
        .map((one) => pick(roll, '', ' ') + plain(one).replace(/[~,()\\]/g, '\\$&'))
        .join(',');
  return [`${spelled(roll, leaf.name)}.${anyCase(roll, leaf.op)}`, pad(roll, text)];
}

/** `search=(...)~(...)`, here and there with more than it needs. */
export function asSearch(leaves: Leaf[], roll: Roll): string {
  const conditions = leaves.map((leaf) => asCondition(leaf, roll).join('.'));
  if (conditions.length === 1 && roll(3) === 0) return conditions[0]!;
  const texts = conditions.map((one) => `${pick(roll, '(', '( ', ' (')}${one})`);
  if (roll(8) === 0) texts.splice(roll(texts.length + 1), 0, '()');
  return texts.join(pick(roll, '~', ' ~ ', '~')) + pick(roll, '', '', '~', ' ');
}

const SYMBOLS: Record<string, string> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

/** The strings of a POST search: brackets, blanks, comments and letter cases as somebody might write them. */
export function asSqlLike(tree: Tree, roll: Roll): string[] {
  const words = tokens(tree, roll);
  const strings: string[] = [];
  let text = '';
  for (const word of words) {
    text += word;
    if (roll(12) === 0) {
      strings.push(text);
      text = '';
    } else text += pick(roll, ' ', ' ', '  ', '\n', " /* it's */ ", ' -- no\n');
  }
  if (text.trim() || !strings.length) strings.push(text);
  return strings;
}

function tokens(tree: Tree, roll: Roll): string[] {
  if ('any' in tree || 'all' in tree) {
    const word = 'any' in tree ? 'or' : 'and';
    const members = ('any' in tree ? tree.any : tree.all).map((one) => {
      // AND binds tighter: only an OR below an AND must have its brackets
      const needed = word === 'and' && 'any' in one;
      const inner = tokens(one, roll);
      return needed || roll(6) === 0 ? ['(', ...inner, ')'] : inner;
    });
    return members.flatMap((one, i) => (i ? [anyCase(roll, word), ...one] : one));
  }
  const name = spelled(roll, tree.name);
  const negated = /^n(like|in|between)$/.exec(tree.op)?.[1];
  const op = negated
    ? [anyCase(roll, 'not'), anyCase(roll, negated)]
    : [SYMBOLS[tree.op] ?? anyCase(roll, tree.op)];
  if (tree.pattern) {
    const pattern = tree.pattern.map((part) => wild(part, '%', '_', /[\\%_]/g)).join('');
    return [name, ...op, quoted(pattern)];
  }
  const values = tree.values.map((one) => literal(one, roll));
  if (tree.op.endsWith('between'))
    return [name, ...op, values[0]!, anyCase(roll, 'and'), values[1]!];
  if (tree.op.endsWith('in')) {
    const list = values.flatMap((one, i) => (i ? [',', one] : [one]));
    return [name, ...op, '(', ...list, ')'];
  }
  return [name, ...op, ...values];
}

const plain = (value: string | number | boolean) => String(value);
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const literal = (value: string | number | boolean, roll: Roll) =>
  typeof value !== 'string' && roll(2) ? plain(value) : quoted(plain(value));
const pad = (roll: Roll, text: string) => pick(roll, '', '', ' ') + text + pick(roll, '', '', ' ');

function wild(part: PatternPart, any: string, one: string, special: RegExp): string {
  if (typeof part === 'string') return part.replace(special, '\\$&');
  return part.wild === 'any' ? any : one;
}
