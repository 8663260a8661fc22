import fc from 'fast-check';
import { implies, partsOf } from './implies';
import { PERMISSION_CASES } from './permission-cases';
import { PermissionIndex } from './permission-index';

describe('the table', () => {
  it('has no case twice', () => {
    const keys = PERMISSION_CASES.map(([assigned, requested]) => `${assigned} ${requested}`);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
    expect(keys.length).toBeGreaterThanOrEqual(150);
  });

  it.each(PERMISSION_CASES)('"%s" implies "%s": %s', (assigned, requested, allowed) => {
    expect(implies(assigned, requested)).toBe(allowed);
    expect(new PermissionIndex([assigned]).implies(requested)).toBe(allowed);
  });

  it('holds for all of it at once, too', () => {
    for (const schema of ['systems', 'files', 'a']) {
      const held = PERMISSION_CASES.map(([assigned]) => assigned).filter((a) =>
        a.startsWith(schema),
      );
      const index = new PermissionIndex(held);
      for (const [, requested] of PERMISSION_CASES)
        expect([requested, index.implies(requested)]).toEqual([
          requested,
          held.some((one) => implies(one, requested)),
        ]);
    }
  });
});

it('keeps the path of a path permission whole', () => {
  const texts = (permission: string) => partsOf(permission).map(({ words }) => words.join(','));
  expect(texts('files:dev:read:s:/a:b,c')).toEqual(['files', 'dev', 'read', 's', '/a:b,c']);
  expect(partsOf('files:dev:read:s:/a:b,c').at(-1)?.path).toBe('/a:b,c');
  expect(texts('systems:dev:read:a')).toEqual(['systems', 'dev', 'read', 'a']);
});

/**
 * Section 5.6 of the contract, sentence by sentence, slow and plain: colon-separated parts, comma-separated
 * alternatives, `*`; in `files:…` the fifth part is a path, not split, where a star has no meaning.
 */
function byTheBook(assigned: string, requested: string): boolean {
  const [A, R] = [split(assigned), split(requested)];
  for (let i = 0; i < A.length; i++) {
    const isPath = A[0] === 'files' && i === 4;
    const a = A[i]!;
    // "A longer than R: extra parts of A must all be *"
    if (i >= R.length) {
      if (isPath || !a.split(',').includes('*')) return false;
    } else if (isPath) {
      // the table of paths: itself; below it; with a final slash only what begins with it
      const r = R[i]!;
      if (R[0] !== 'files') return false;
      if (r !== a && !r.startsWith(a.endsWith('/') ? a : `${a}/`)) return false;
    } else {
      // "A's part contains *, or every alternative of R's part is among A's"
      const wanted = R[0] === 'files' && i === 4 ? [R[i]!] : R[i]!.split(',');
      const mine = a.split(',');
      if (!mine.includes('*') && !wanted.every((w) => mine.includes(w))) return false;
    }
  }
  // "A shorter than R: missing parts count as *"
  return true;

  function split(permission: string): string[] {
    const all = permission.split(':');
    return all[0] === 'files' && all.length > 5
      ? [...all.slice(0, 4), all.slice(4).join(':')]
      : all;
  }
}

describe('any permission', () => {
  // few words, so that parts meet often
  const word = fc.constantFrom('a', 'b', 'c', '*', '', 'files', 'a*');
  const part = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(','));
  const plain = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(':'));
  const segment = fc.constantFrom('a', 'b', 'ab', '*', 'a:b', 'a,b', '');
  const path = fc
    .tuple(fc.constantFrom('/', ''), fc.array(segment, { maxLength: 4 }), fc.constantFrom('/', ''))
    .map(([first, names, last]) => first + names.join('/') + last);
  const place = fc.array(part, { minLength: 3, maxLength: 3 });
  const withPath = fc
    .tuple(place, path)
    .map(([parts, rest]) => ['files', ...parts, rest].join(':'));
  const permission = fc.oneof(plain, withPath);
  const RUNS = { numRuns: 3000 };

  it('is judged as the contract says', () => {
    fc.assert(
      fc.property(permission, permission, (assigned, requested) => {
        expect(implies(assigned, requested)).toBe(byTheBook(assigned, requested));
      }),
      RUNS,
    );
  });

  it('is found by the index of many exactly when one of them implies it', () => {
    fc.assert(
      fc.property(fc.array(permission, { maxLength: 20 }), permission, (held, requested) => {
        const expected = held.some((one) => byTheBook(one, requested));
        expect(new PermissionIndex(held).implies(requested)).toBe(expected);
      }),
      RUNS,
    );
  });

  it('implies itself', () => {
    fc.assert(
      fc.property(permission, (one) => implies(one, one)),
      RUNS,
    );
  });

  it('implies all that what it implies implies', () => {
    const related = fc.tuple(permission, permission, permission);
    fc.assert(
      fc.property(related, ([a, b, c]) => !implies(a, b) || !implies(b, c) || implies(a, c)),
      RUNS,
    );
  });
});

it('answers for 10,000 permissions as fast as for none, whatever they look like', () => {
  const shapes: ((i: number) => string)[] = [
    (i) => `systems:dev:READ:s${i}`,
    (i) => `systems:dev:op${i}:s1`,
    (i) => `files:dev:READ:s1:/home/u${i}/data`,
    (i) => `systems:dev:READ${i},op${i}:s1`,
  ];
  const asked = 'files:dev:READ:s1:/home/u9999/data/deep/er/file';
  for (const shape of shapes) {
    const index = new PermissionIndex(Array.from({ length: 10_000 }, (_, i) => shape(i)));
    const began = performance.now();
    for (let i = 0; i < 100; i++) {
      index.implies(asked);
      index.implies('systems:dev:op9999:s1');
    }
    // a request takes more than 1 ms; this is far below it even on a busy machine
    expect((performance.now() - began) / 200).toBeLessThan(1);
  }
});
