import { execFileSync } from 'node:child_process';
import { shellWords, splitWords, wordsOf } from './words';

const V = (variable: string) => ({ variable });

describe('words of an argument', () => {
  it.each([
    ['-n 5', [['-n'], ['5']]],
    ["'a b'", [['a b']]],
    ['  a\t b ', [['a'], ['b']]],
    ['', []],
    ["''", [[]]],
    ['""', [[]]],
    ['a"b c"d', [['ab cd']]],
    ['a\\ b', [['a b']]],
    ['"a\\"b\\n"', [['a"b\\n']]],
    ['x;*&|<>#~(y)', [['x;*&|<>#~(y)']]],
    ['$HOME/x', [[V('HOME'), '/x']]],
    ['pre${A}post', [['pre', V('A'), 'post']]],
    ['"$A b"', [[V('A'), ' b']]],
    ["'$A'", [['$A']]],
    ['\\$A', [['$A']]],
    ['$', [['$']]],
    ['$1 $? $$', [['$1'], ['$?'], ['$$']]],
    ['${A:-x}', [['${A:-x}']]],
    ["'`id`$(id)'", [['`id`$(id)']]],
    ['\\`', [['`']]],
    ['größe=ß', [['größe=ß']]],
  ])('%j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it.each(["'a", '"a', 'a\\', '$(id)', '`id`', '"$(id)"', '"`id`"', '"a\\"'])(
    'refuses %j',
    (text) => expect(() => splitWords(text)).toThrow('The argument'),
  );

  it('reach a program unchanged, variables filled in', () => {
    const args = ['-n 5', "'a  b'", '$V', 'x;*&', '"*"', "'it'\\''s'", '-', '$NONE', '~ #c', '!'];
    const text = shellWords(wordsOf(args));
    const script = `for w in ${text}; do printf '[%s]' "$w"; done`;
    const out = execFileSync('sh', ['-c', script], { env: { V: 'q r * $X', PATH: '/bin' } });
    expect(String(out)).toBe("[-n][5][a  b][q r * $X][x;*&][*][it's][-][][~][#c][!]");
    expect(shellWords(wordsOf(['$V']), new Map([['V', "q'r"]]))).toBe(`'q'\\''r'`);
  });
});
