import { Flag, inspect, kindOfViolation, parse, Text, Whole } from './index';

class Thing {
  @Text({ max: 3 }) id!: string;
  @Text({ optional: true, max: 5 }) note?: string;
  @Whole({ default: 1 }) count!: number;
  @Flag({ default: false }) on!: boolean;
}

it('tells what is wrong, of which fields, and keeps the rest', () => {
  const { value, violations, broken } = inspect(Thing, { note: 'too long', count: 'x', more: 1 });
  expect(violations).toHaveLength(4);
  expect([...broken].sort()).toEqual(['count', 'id', 'more', 'note']);
  expect(value.on).toBe(false);
  expect(inspect(Thing, { id: 'a' })).toEqual({
    value: { id: 'a', count: 1, on: false },
    violations: [],
    paths: [],
    broken: new Set(),
  });
  expect(() => inspect(Thing, [])).toThrow('must be a JSON object');
});

it('knows where all of them are, those too many to tell included', () => {
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`more${i}`, 1]));
  const { violations, paths } = inspect(Thing, { id: 'a', ...many });
  expect([violations.length, paths.length]).toEqual([51, 80]);
  expect(paths).toContain('more79');
});

it.each([
  [{}, 'missing'],
  [{ id: '' }, 'missing'],
  [{ id: 'long' }, 'too-long'],
  [{ id: 'a\tb' }, 'control-character'],
  [{ id: 7 }, 'malformed'],
  [{ id: 'a', more: 1 }, 'malformed'],
])('knows what kind of mistake %j is', (body, kind) => {
  expect(inspect(Thing, body).violations.map(kindOfViolation)).toContain(kind);
  expect(() => parse(Thing, body)).toThrow();
});
