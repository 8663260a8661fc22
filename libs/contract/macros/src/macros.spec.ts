import { Directories, type DirectoryTemplate } from './directories';
import { expandAll, expandOnce, fromTable } from './expand';
import { splitHostEval } from './host-eval';
import { climbs, hasControlCharacter, lastSegment, normalisePath } from './paths';
import { plainText, splitWords } from './shell-words';

const values = new Map<string, string | undefined>([
  ['A', 'a'],
  ['B', '${A}b'],
  ['Loop', '${Loop2}'],
  ['Loop2', '${Loop}'],
  ['Empty', undefined],
]);

describe('one pass', () => {
  it.each([
    ['${A}/${A}', 'a/a'],
    ['${B}', '${A}b'],
    ['${Nope} ${Empty} ${', '${Nope} ${Empty} ${'],
    ['$A', '$A'],
  ])('%s', (text, expected) => expect(expandOnce(text, values)).toBe(expected));
});

describe('all passes', () => {
  it.each([
    ['x${B}y${A}', 'xabya'],
    ['none', 'none'],
  ])('%s', async (text, expected) =>
    expect(await expandAll(text, fromTable(values))).toBe(expected),
  );

  it.each([
    ['${Loop}', 'cycle'],
    ['${Nope}', 'unknown'],
    ['${Empty}', 'no value'],
    ['${A', 'malformed'],
    ['${A-b}', 'malformed'],
    ['${}', 'malformed'],
  ])('%s is refused: %s', async (text, why) => {
    await expect(expandAll(text, fromTable(values))).rejects.toThrow(why);
  });

  it('is not nested too deep', async () => {
    const deep = new Map(Array.from({ length: 30 }, (_, i) => [`M${i}`, `\${M${i + 1}}`]));
    await expect(expandAll('${M0}', fromTable(deep))).rejects.toThrow('nested');
  });
});

describe('HOST_EVAL', () => {
  it.each([
    ['HOST_EVAL($HOME)', { variable: 'HOME', rest: '' }],
    ['/HOST_EVAL(HOME)/x', { variable: 'HOME', rest: '/x' }],
    ['HOST_EVAL($S, /tmp)/${JobUUID}', { variable: 'S', otherwise: '/tmp', rest: '/${JobUUID}' }],
    ['/plain', undefined],
  ])('%s', (text, expected) => expect(splitHostEval(text)).toEqual(expected));

  it.each(['HOST_EVAL()', 'HOST_EVAL($A', 'HOST_EVAL($1)', 'HOST_EVAL(${A})', 'HOST_EVAL($A, )',
    '/x/HOST_EVAL($A)', 'HOST_EVAL($A)HOST_EVAL($B)', 'HOST_EVAL($A; rm)'])(
    '%s is refused', (text) => expect(() => splitHostEval(text)).toThrow('HOST_EVAL'),
  ); // prettier-ignore
});

describe('directories', () => {
  const asked: string[] = [];
  const evaluate = (variable: string) => {
    asked.push(variable);
    return Promise.resolve(
      ({ SCRATCH: '/scratch/u', BLANK: ' ' } as Record<string, string>)[variable],
    );
  };
  const directories = (templates: Record<string, string>) =>
    new Directories(
      new Map([['JobUUID', 'u-007']]),
      new Map<string, DirectoryTemplate>(
        Object.entries(templates).map(([name, template]) => [name, { template, evaluate }]),
      ),
    );

  it('refer to one another in any order and ask the host once', async () => {
    const some = directories({
      Exec: '${Working}/jobs//${JobUUID}/',
      Out: '${Exec}/output',
      Working: 'HOST_EVAL($SCRATCH)/work',
    });
    expect(await some.resolve('Out')).toBe('/scratch/u/work/jobs/u-007/output');
    expect(await some.resolve('Exec')).toBe('/scratch/u/work/jobs/u-007');
    expect(asked).toEqual(['SCRATCH']);
  });

  it('take the default when the host has no value', async () => {
    expect(await directories({ D: 'HOST_EVAL($BLANK, /tmp)/x' }).resolve('D')).toBe('/tmp/x');
  });

  it.each([
    [{ D: 'HOST_EVAL($BLANK)' }, 'no default'],
    [{ D: '${E}', E: '${D}' }, 'cycle'],
    [{ D: 'x/../y' }, '".."'],
    [{ D: '' }, 'empty'],
    [{ D: 'a\nb' }, 'control'],
    [{ D: '${Nope}' }, 'unknown'],
  ])('%j is refused: %s', async (templates, why) => {
    await expect(directories(templates as Record<string, string>).resolve('D')).rejects.toThrow(
      why,
    );
  });
});

describe('paths', () => {
  it.each([
    ['', '/'],
    ['a', '/a'],
    ['//a///b/./c//', '/a/b/c'],
    ['/', '/'],
  ])('%j becomes %s', (path, expected) => expect(normalisePath(path)).toBe(expected));

  it.each([
    ['a/../b', true],
    ['..', true],
    ['a/..b', false],
    ['...', false],
  ])('%s climbs: %s', (path, expected) => expect(climbs(path)).toBe(expected));

  it('knows the last segment', () => {
    expect(lastSegment('/a/b')).toBe('b');
    expect(lastSegment('/a/')).toBeUndefined();
  });

  it.each(['\n', '\u0000', '\u007f', '\u0085'])('%j is a control character', (c) =>
    expect(hasControlCharacter(`a${c}b`)).toBe(true),
  );
});

describe('the words of an argument', () => {
  const plain = (argument: string) => splitWords(argument).map(plainText);
  it.each([
    ['-n 5', ['-n', '5']],
    ["'a b'", ['a b']],
    ['"a b"c', ['a bc']],
    ['a\\ b', ['a b']],
    ['  x  ', ['x']],
    ['', []],
    ["''", ['']],
    ['"\\$x \\n"', ['$x \\n']],
    ['; * & > | < !', [';', '*', '&', '>', '|', '<', '!']],
    ["'$(no) `no`'", ['$(no) `no`']],
    ['\\$(x)', ['$(x)']],
    ['$5 $ ${x:-y} $?', ['$5', '$', '${x:-y}', '$?']],
  ])('%s', (argument, expected) => expect(plain(argument)).toEqual(expected));

  it('names variables outside single quotes', () => {
    expect(splitWords('a$B"${C} d"\'$E\'')).toEqual([
      [{ text: 'a' }, { variable: 'B' }, { variable: 'C' }, { text: ' d$E' }],
    ]);
  });

  it.each(['$(id)', '`id`', '"$(id)"', '"`id`"', "'open", '"open', 'end\\'])(
    '%s is refused',
    (argument) => expect(() => splitWords(argument)).toThrow('argument'),
  );
});
