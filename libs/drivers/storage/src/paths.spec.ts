import { isWithin, joinPath, nameOf, normalisePath, parentOf } from './paths';

describe('paths', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['a/b/../c', 'a/c'],
    ['../../..', ''],
    ['a/././..//.///', ''],
    ['../a/b/c/.', 'a/b/c'],
    ['.Trash', '.Trash'],
    ['//file1', 'file1'],
    ['a//b///c/', 'a/b/c'],
    ['a/../../../etc/passwd', 'etc/passwd'],
    ['...', '...'],
    ['..a/b..', '..a/b..'],
    ['%2e%2e/x', '%2e%2e/x'],
    ['-rf', '-rf'],
  ])('%j is %j', (raw, path) => {
    expect(normalisePath(raw)).toBe(path);
    expect(normalisePath(path)).toBe(path);
  });

  it.each([
    'a\nb',
    'a\0b',
    'a\tb',
    '\x7f',
    'a\u0085',
    'x'.repeat(256),
    'ab/'.repeat(2000),
    '\ud800',
  ])('refuses %j', (raw) => {
    expect(() => normalisePath(raw)).toThrow(expect.objectContaining({ reason: 'bad-path' }));
  });

  it('takes apart and joins', () => {
    expect([parentOf('a/b/c'), parentOf('a'), parentOf('')]).toEqual(['a/b', '', '']);
    expect([nameOf('a/b'), nameOf('a'), nameOf('')]).toEqual(['b', 'a', '']);
    expect(joinPath('', 'a', '', 'b')).toBe('a/b');
    expect([
      isWithin('ab', 'a'),
      isWithin('a/b', 'a'),
      isWithin('a', 'a'),
      isWithin('x', ''),
    ]).toEqual([false, true, true, true]);
  });
});
