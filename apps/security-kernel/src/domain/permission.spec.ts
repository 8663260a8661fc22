import fc from 'fast-check';
import { implies } from './permission';

/** assigned, requested, answer: rows of the platform contract, section 5.6, and their neighbours. */
const TABLE: Array<[string, string, boolean]> = [
  ['system:dev:READ:vm1', 'system:dev:READ:vm1', true],
  ['system:dev:READ:vm1', 'system:dev:READ:vm2', false],
  ['system:dev:READ:vm1', 'system:dev:MODIFY:vm1', false],
  ['system:dev:READ:vm1', 'system:prod:READ:vm1', false],
  ['system:dev:READ:vm1', 'app:dev:READ:vm1', false],
  ['system:dev:read:vm1', 'system:dev:READ:vm1', false],
  ['system:dev:READ,MODIFY:vm1', 'system:dev:READ:vm1', true],
  ['system:dev:READ,MODIFY:vm1', 'system:dev:MODIFY,READ:vm1', true],
  ['system:dev:READ:vm1', 'system:dev:READ,MODIFY:vm1', false],
  ['system:dev:*:vm1', 'system:dev:READ:vm1', true],
  ['system:dev:*:vm1', 'system:dev:READ,MODIFY:vm1', true],
  ['system:dev:READ,*:vm1', 'system:dev:MODIFY:vm1', true],
  ['system:*:READ:vm1', 'system:dev:READ:vm1', true],
  ['*', 'system:dev:READ:vm1', true],
  ['*:*:*:*', 'system:dev:READ:vm1', true],
  ['system', 'system:dev:READ:vm1', true],
  ['system:dev', 'system:dev:READ:vm1', true],
  ['system:dev:READ', 'system:dev:READ:vm1', true],
  ['system:dev:READ', 'system:dev:MODIFY:vm1', false],
  ['system:dev:READ:vm1', 'system:dev:READ', false],
  ['system:dev:READ:*', 'system:dev:READ', true],
  ['system:dev:READ:*:*', 'system:dev:READ', true],
  ['system:dev:READ:*:x', 'system:dev:READ', false],
  ['system:dev:READ:vm1', 'system:dev:*:vm1', false],
  ['system:dev:*:vm1', 'system:dev:*:vm1', true],
  ['system:dev:READ:vm', 'system:dev:READ:vm1', false],
  ['system:dev:READ:vm1', 'system:dev:READ:vm', false],
  ['', 'system:dev:READ:vm1', false],
  ['files:dev:READ:s1:/home/bud', 'files:dev:READ:s1:/home/bud', true],
  ['files:dev:READ:s1:/home/bud', 'files:dev:READ:s1:/home/bud/', true],
  ['files:dev:READ:s1:/home/bud', 'files:dev:READ:s1:/home/bud/x', true],
  ['files:dev:READ:s1:/home/bud', 'files:dev:READ:s1:/home/bud/a/b', true],
  ['files:dev:READ:s1:/home/bud', 'files:dev:READ:s1:/home', false],
  ['files:dev:READ:s1:/home/bud', 'files:dev:READ:s1:/home/bud2', false],
  ['files:dev:READ:s1:/home/bud', 'files:dev:READ:s1:/home/buddy.txt', false],
  ['files:dev:READ:s1:/home/bud/', 'files:dev:READ:s1:/home/bud/', true],
  ['files:dev:READ:s1:/home/bud/', 'files:dev:READ:s1:/home/bud/x', true],
  ['files:dev:READ:s1:/home/bud/', 'files:dev:READ:s1:/home/bud', false],
  ['files:dev:READ:s1:/', 'files:dev:READ:s1:/any/thing', true],
  ['files:dev:READ:s1:/', 'files:dev:READ:s1:/', true],
  ['files:dev:READ:s1:/a', 'files:dev:MODIFY:s1:/a', false],
  ['files:dev:READ:s1:/a', 'files:dev:READ:s2:/a', false],
  ['files:dev:READ:s1:/a', 'files:other:READ:s1:/a', false],
  ['files:dev:*:s1', 'files:dev:READ:s1:/a/b', true],
  ['files:dev:*:s1', 'files:dev:MODIFY:s2:/a/b', false],
  ['files:dev:*:*:/a', 'files:dev:MODIFY:s2:/a/b', true],
  ['files:dev:READ:s1:/a:b', 'files:dev:READ:s1:/a:b/c', true],
  ['files:dev:READ:s1:/a:b', 'files:dev:READ:s1:/a', false],
  ['files:dev:READ:s1:/a,/b', 'files:dev:READ:s1:/a', false],
  ['files:dev:READ:s1:/a,/b', 'files:dev:READ:s1:/a,/b', true],
  ['files:dev:READ:s1:/*', 'files:dev:READ:s1:/a', false],
  ['files:dev:READ:s1:*', 'files:dev:READ:s1:/a', false],
  ['files:dev:READ:s1:/a', 'files:dev:READ:s1', false],
];

describe('implies', () => {
  it.each(TABLE)('%s implies %s: %s', (assigned, requested, answer) => {
    expect(implies(assigned, requested)).toBe(answer);
  });

  const word = fc.stringMatching(/^[a-z]{1,3}$/);
  const part = fc.uniqueArray(fc.oneof(word, fc.constant('*')), { minLength: 1, maxLength: 3 });
  const permission = fc
    .array(part, { minLength: 1, maxLength: 5 })
    .map((parts) => parts.map((p) => p.join(',')).join(':'));

  it('holds for itself, and a star in place of any part only widens it', () => {
    fc.assert(
      fc.property(permission, fc.nat(4), (text, at) => {
        expect(implies(text, text)).toBe(true);
        const parts = text.split(':');
        const wider = parts.map((p, i) => (i === at ? '*' : p)).join(':');
        expect(implies(wider, text)).toBe(true);
      }),
    );
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(permission, permission, permission, (a, b, c) => {
        fc.pre(implies(a, b) && implies(b, c));
        expect(implies(a, c)).toBe(true);
      }),
    );
  });
});
