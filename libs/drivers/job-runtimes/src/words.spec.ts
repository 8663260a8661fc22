import { execFileSync } from 'node:child_process';
import { shellWords, wordsOf } from './words';

describe('words of arguments', () => {
  it('reach a program unchanged, variables filled in', () => {
    const args = ['-n 5', "'a  b'", '$V', 'x;*&', '"*"', "'it'\\''s'", '-', '$NONE', '~ #c', '!'];
    const text = shellWords(wordsOf(args));
    const script = `for w in ${text}; do printf '[%s]' "$w"; done`;
    const out = execFileSync('sh', ['-c', script], { env: { V: 'q r * $X', PATH: '/bin' } });
    expect(String(out)).toBe("[-n][5][a  b][q r * $X][x;*&][*][it's][-][][~][#c][!]");
    expect(shellWords(wordsOf(['$V']), new Map([['V', "q'r"]]))).toBe(`'q'\\''r'`);
  });

  it.each(["'a", '"a', 'a\\', '$(id)', '`id`', '"$(id)"'])('%s is no argument', (arg) =>
    expect(() => wordsOf([arg])).toThrow('argument'),
  );
});
