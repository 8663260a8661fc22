import { implies, partsOf } from './implies';

const TABLE: [assigned: string, requested: string, allowed: boolean][] = [
  // parts
  ['systems:dev:read:a', 'systems:dev:read:a', true],
  ['systems:dev:read:a', 'systems:dev:read:b', false],
  ['systems:dev:read:a', 'systems:dev:modify:a', false],
  ['systems:dev:read:a', 'systems:other:read:a', false],
  ['systems:dev:read:a', 'apps:dev:read:a', false],
  ['systems:dev:read:a', 'Systems:dev:read:a', false],
  ['systems:dev:READ:a', 'systems:dev:read:a', false],
  // alternatives
  ['systems:dev:read,modify:a', 'systems:dev:read:a', true],
  ['systems:dev:read,modify:a', 'systems:dev:modify:a', true],
  ['systems:dev:read,modify:a', 'systems:dev:modify,read:a', true],
  ['systems:dev:read,modify:a', 'systems:dev:read,execute:a', false],
  ['systems:dev:read:a', 'systems:dev:read,modify:a', false],
  ['systems:dev:read:a,b', 'systems:dev:read:b', true],
  ['systems:dev,other:read:a', 'systems:other:read:a', true],
  // stars
  ['systems:dev:*:a', 'systems:dev:read:a', true],
  ['systems:dev:*:a', 'systems:dev:read,modify:a', true],
  ['systems:dev:*:*', 'systems:dev:read:anything', true],
  ['systems:*:read:a', 'systems:dev:read:a', true],
  ['*', 'systems:dev:read:a', true],
  ['*:*', 'systems:dev:read:a', true],
  ['systems:dev:read,*:a', 'systems:dev:modify:a', true],
  ['systems:dev:read:a', 'systems:dev:*:a', false],
  ['systems:dev:*:a', 'systems:dev:*:a', true],
  ['systems:dev:read:a', '*', false],
  ['*', '*', true],
  ['systems:dev:re*:a', 'systems:dev:read:a', false],
  // shorter and longer
  ['systems:dev:read', 'systems:dev:read:a', true],
  ['systems:dev', 'systems:dev:read:a', true],
  ['systems', 'systems:dev:read:a', true],
  ['systems:dev:read:a', 'systems:dev:read', false],
  ['systems:dev:read:*', 'systems:dev:read', true],
  ['systems:dev:read:*:*', 'systems:dev:read', true],
  ['systems:dev:read:*:a', 'systems:dev:read', false],
  // paths
  ['files:dev:read:s:/home/bud', 'files:dev:read:s:/home/bud', true],
  ['files:dev:read:s:/home/bud', 'files:dev:read:s:/home/bud/', true],
  ['files:dev:read:s:/home/bud', 'files:dev:read:s:/home/bud/x', true],
  ['files:dev:read:s:/home/bud', 'files:dev:read:s:/home/bud/a/b', true],
  ['files:dev:read:s:/home/bud', 'files:dev:read:s:/home', false],
  ['files:dev:read:s:/home/bud', 'files:dev:read:s:/home/bud2', false],
  ['files:dev:read:s:/home/bud', 'files:dev:read:s:/home/buddy.txt', false],
  ['files:dev:read:s:/home/bud/', 'files:dev:read:s:/home/bud/', true],
  ['files:dev:read:s:/home/bud/', 'files:dev:read:s:/home/bud/x', true],
  ['files:dev:read:s:/home/bud/', 'files:dev:read:s:/home/bud', false],
  ['files:dev:read:s:/', 'files:dev:read:s:/any/thing', true],
  ['files:dev:*:s:/home/bud', 'files:dev:modify:s:/home/bud/x', true],
  ['files:dev:read:*:/home/bud', 'files:dev:read:s2:/home/bud', true],
  ['files:dev:read:s:/a:b', 'files:dev:read:s:/a:b/c', true],
  ['files:dev:read:s:/a:b', 'files:dev:read:s:/a', false],
  ['files:dev:read:s:/a,b', 'files:dev:read:s:/a,b/c', true],
  ['files:dev:read:s:/a,b', 'files:dev:read:s:/a', false],
  ['files:dev:read:s:/a/*', 'files:dev:read:s:/a/b', false],
  ['files:dev:read:s:*', 'files:dev:read:s:/a', false],
  ['files:dev:read:s:/a/*', 'files:dev:read:s:/a/*', true],
  ['files:dev:read:s', 'files:dev:read:s:/a', true],
  ['files:dev:read:s:/a', 'files:dev:read:s', false],
  ['files:dev:read:s:/A', 'files:dev:read:s:/a', false],
  ['*', 'files:dev:read:s:/a', true],
];

it.each(TABLE)('%s implies %s: %s', (assigned, requested, allowed) => {
  expect(implies(assigned, requested)).toBe(allowed);
});

it('keeps the path of a path permission whole', () => {
  expect(partsOf('files:dev:read:s:/a:b,c')).toEqual(['files', 'dev', 'read', 's', '/a:b,c']);
  expect(partsOf('systems:dev:read:a')).toEqual(['systems', 'dev', 'read', 'a']);
});
