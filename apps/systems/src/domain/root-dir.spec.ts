import { hostEvalOf, normalised, withVariables } from './root-dir';

describe('hostEvalOf', () => {
  it.each([
    ['HOST_EVAL($HOME)', { name: 'HOME', tail: '' }],
    ['/HOST_EVAL(HOME)/data', { name: 'HOME', tail: '/data' }],
    ['HOST_EVAL($SCRATCH, /tmp/x)/a/b', { name: 'SCRATCH', fallback: '/tmp/x', tail: '/a/b' }],
  ])('%s', (text, expected) => expect(hostEvalOf(text)).toEqual(expected));

  it.each([
    '/a/HOST_EVAL($HOME)',
    'HOST_EVAL($HOME',
    'HOST_EVAL($1X)',
    'HOST_EVAL($A)/HOST_EVAL($B)',
    'HOST_EVAL($(id))',
    '/plain',
  ])('%s is none', (text) => expect(hostEvalOf(text)).toBeUndefined());
});

it('variables are put in once and not looked for in values', () => {
  const values = { apiUserId: '${owner}', owner: 'ann', tenant: 'dev' };
  expect(withVariables('/${tenant}/${owner}/${apiUserId}/${other}', values)).toBe(
    '/dev/ann/${owner}/${other}',
  );
});

it.each([
  ['/', '/'],
  ['//a///b/', '/a/b'],
  ['a/./b/../c', '/a/c'],
  ['/../../a', '/a'],
])('%s is normalised to %s', (path, expected) => expect(normalised(path)).toBe(expected));
