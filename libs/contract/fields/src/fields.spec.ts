import { isApiError, type BadInput } from '@libs/envelope';
import {
  Choice,
  DeepPartialType,
  Decimal,
  fieldMap,
  fieldsOf,
  Flag,
  IntersectionType,
  Items,
  Json,
  Moment,
  OmitType,
  parse,
  parseQuery,
  Part,
  PartialType,
  PickType,
  Text,
  Whole,
} from './index';

class Queue {
  @Text({ max: 8 }) name!: string;
  @Whole({ default: 1, min: 1 }) minNodes!: number;
}

class Limits {
  @Whole({ default: 10, min: 1 }) minutes!: number;
  @Text({ optional: true }) note?: string;
}

class Thing {
  @Text({ match: /^[a-z]\w*$/g, max: 5, rule: 'must be a short word', search: true, summary: true })
  id!: string;
  @Choice(['RED', 'BLUE'], { search: true, anyCase: true }) colour!: string;
  @Flag({ default: false, search: true, sort: false }) on!: boolean;
  @Whole({ optional: true, nullable: true, max: 7 }) size?: number | null;
  @Decimal({ optional: true }) ratio?: number;
  @Moment({ optional: true, search: true }) made?: string;
  @Items(String, { default: [], unique: true, max: 3, maxItems: 3, search: true }) tags!: string[];
  @Items(Queue, { optional: true, unique: 'name' }) queues?: Queue[];
  @Items(['x', 'y'], { optional: true }) letters?: string[];
  @Part(Limits, { default: {} }) limits!: Limits;
  @Json({ default: {} }) notes!: object;
  @Json({ optional: true, values: 'text' }) words?: Record<string, string>;
  @Text({ optional: true, multiline: true, trim: false }) text?: string;
}

function violations(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (isApiError(error, 400)) return (error as BadInput).violations;
    throw error;
  }
  return [];
}
const wrong = (body: unknown) => violations(() => parse(Thing, body));
const GOOD = { id: 'a', colour: 'RED' };

describe('parse', () => {
  it('makes an instance, trims, and fills in defaults, those of parts too', () => {
    const thing = parse(Thing, { id: ' a ', colour: 'blue', made: '2026-01-31T12:00+01:00' });
    expect(thing).toBeInstanceOf(Thing);
    expect(thing.limits).toBeInstanceOf(Limits);
    expect({ ...thing }).toEqual({
      id: 'a',
      colour: 'BLUE',
      on: false,
      made: '2026-01-31T11:00:00.000Z',
      tags: [],
      limits: { minutes: 10 },
      notes: {},
    });
  });

  it('gives each instance its own default', () => {
    parse(Thing, GOOD).tags.push('x');
    expect(parse(Thing, GOOD).tags).toEqual([]);
  });

  it('takes null as left out, unless the field is nullable', () => {
    const thing = parse(Thing, { ...GOOD, on: null, size: null, ratio: null, queues: null });
    expect(thing).toMatchObject({ on: false, size: null });
    expect('ratio' in thing).toBe(false);
    expect(wrong({ ...GOOD, id: null })).toEqual(['id: is missing']);
  });

  it.each([
    ['not an object', 7, 'must be a JSON object'],
    ['an array', [], 'must be a JSON object'],
    ['missing', { colour: 'RED' }, 'id: is missing'],
    ['empty', { ...GOOD, id: ' ' }, 'id: must not be empty'],
    ['too long', { ...GOOD, id: 'abcdef' }, 'id: must have at most 5 characters'],
    ['no match', { ...GOOD, id: '1' }, 'id: must be a short word'],
    ['control character', { ...GOOD, id: 'a\nb' }, 'id: must not have control characters'],
    ['line separator', { ...GOOD, id: 'a\u2028b' }, 'id: must not have control characters'],
    ['NUL', { ...GOOD, text: 'a\0b' }, 'text: has a NUL or a broken character'],
    ['half a character', { ...GOOD, notes: { a: ['\ud800'] } }, 'notes.a[0]: has a NUL'],
    ['number for text', { ...GOOD, id: 1 }, 'id: must be a string'],
    ['choice', { ...GOOD, colour: 'PINK' }, 'colour: must be one of RED, BLUE'],
    ['flag', { ...GOOD, on: 'true' }, 'on: must be true or false'],
    ['fraction', { ...GOOD, size: 1.5 }, 'size: must be a whole number'],
    ['text for number', { ...GOOD, size: '1' }, 'size: must be a whole number'],
    ['too large', { ...GOOD, size: 8 }, 'size: must be at most 7'],
    ['too small', { ...GOOD, size: -3e9 }, 'size: must be at least -2147483648'],
    ['day without time', { ...GOOD, made: '2026-01-31' }, 'made: must be a time'],
    ['impossible time', { ...GOOD, made: '2026-13-31T00:00Z' }, 'made: must be a time'],
    ['no array', { ...GOOD, tags: 'x' }, 'tags: must be an array'],
    ['element', { ...GOOD, tags: ['abcd'] }, 'tags[0]: must have at most 3 characters'],
    ['null element', { ...GOOD, tags: [null] }, 'tags[0]: must be a string'],
    ['twice', { ...GOOD, tags: ['a', 'b', 'a'] }, 'tags[2]: is there twice'],
    ['too many', { ...GOOD, tags: ['a', 'b', 'c', 'd'] }, 'tags: must have at most 3 items'],
    ['letters', { ...GOOD, letters: ['z'] }, 'letters[0]: must be one of x, y'],
    ['element is no object', { ...GOOD, queues: ['q'] }, 'queues[0]: must be an object'],
    ['nested missing', { ...GOOD, queues: [{}] }, 'queues[0].name: is missing'],
    ['nested unknown', { ...GOOD, limits: { x: 1 } }, 'limits.x: is not a known property'],
    ['part is an array', { ...GOOD, limits: [] }, 'limits: must be an object'],
    ['json is an array', { ...GOOD, notes: [] }, 'notes: must be an object'],
    ['words', { ...GOOD, words: { a: 1 } }, 'words.a: must be a string'],
    [
      'names twice',
      { ...GOOD, queues: [{ name: 'a' }, { name: 'a' }] },
      'queues[1].name: is there',
    ],
    ['inherited name', { ...GOOD, constructor: 1, toString: 2 }, 'constructor: is not a known'],
    ['prototype', JSON.parse('{"id":"a","colour":"RED","__proto__":{}}'), 'not allowed'],
  ])('names what is wrong: %s', (_, body, expected) => {
    expect(wrong(body).join('\n')).toContain(expected);
  });

  it('tells everything at once', () => {
    expect(wrong({ id: '', on: 1, x: 1, limits: { minutes: 0 } })).toEqual([
      'x: is not a known property',
      'id: must not be empty',
      'colour: is missing',
      'on: must be true or false',
      'limits.minutes: must be at least 1',
    ]);
  });

  it('survives bodies made to hurt', () => {
    const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    expect(wrong({ ...GOOD, notes: { deep } })).toHaveLength(1);
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`x${i}`, 1]));
    expect(wrong({ ...GOOD, ...wide })).toHaveLength(51);
    expect(wrong({ ...GOOD, ['y'.repeat(10_000)]: 1 })[0]!.length).toBeLessThan(200);
  });

  it('drops what it is told to ignore', () => {
    const thing = parse(Thing, { ...GOOD, uuid: 'u', on: 'junk' }, { ignore: ['uuid', 'on'] });
    expect(thing).not.toHaveProperty('uuid');
    expect(thing).not.toHaveProperty('on');
  });

  it('keeps line breaks and blanks where they are meant', () => {
    expect(parse(Thing, { ...GOOD, text: ' a\n\tb ' }).text).toBe(' a\n\tb ');
  });
});

describe('parseQuery', () => {
  class Query {
    @Flag({ default: false }) deep!: boolean;
    @Whole({ optional: true, min: 0 }) count?: number;
    @Items(String, { optional: true }) names?: string[];
    @Text({ optional: true }) q?: string;
  }

  it('reads text as the kind of each field', () => {
    const query = { deep: 'TRUE', count: '12', names: 'a, b', q: '12', pretty: 'true' };
    expect({ ...parseQuery(Query, query) }).toEqual({
      deep: true,
      count: 12,
      names: ['a', 'b'],
      q: '12',
    });
    expect({ ...parseQuery(Query, {}) }).toEqual({ deep: false });
  });

  it.each([
    [{ deep: 'yes' }, 'deep: must be true or false'],
    [{ count: '1x' }, 'count: must be a whole number'],
    [{ count: '-1' }, 'count: must be at least 0'],
    [{ q: ['a', 'b'] }, 'q: must be given once'],
    [{ q: { a: 'b' } }, 'q: must be given once'],
    [{ nope: '1' }, 'nope: is not a known property'],
  ])('%j is wrong', (query, expected) => {
    expect(violations(() => parseQuery(Query, query)).join()).toContain(expected);
  });
});

describe('records', () => {
  it('tell lists and search what they need', () => {
    const seen = fieldsOf(Thing)
      .filter(({ search }) => search)
      .map(({ name, type, sort, summary }) => [name, type, sort, summary]);
    expect(seen).toEqual([
      ['id', 'string', true, true],
      ['colour', 'string', true, false],
      ['on', 'boolean', false, false],
      ['made', 'timestamp', true, false],
      ['tags', 'tags', false, false],
    ]);
  });

  it('are inherited and can be replaced', () => {
    class Base {
      @Text() a!: string;
      @Text() b!: string;
    }
    class Sub extends Base {
      @Text({ optional: true }) override b!: string;
      @Flag() c!: boolean;
    }
    expect(fieldsOf(Sub).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(fieldMap(Sub).get('b')!.optional).toBe(true);
    expect(fieldMap(Base).get('b')!.optional).toBe(false);
  });
});

describe('derived classes', () => {
  class Named extends PickType(Thing, ['id', 'limits']) {
    @Text({ optional: true }) extra?: string;
  }
  class Patch extends PartialType(OmitType(Thing, ['id'])) {}
  class Deep extends DeepPartialType(Thing) {}
  class Both extends IntersectionType(PickType(Thing, ['id']), Limits) {}

  it('keep the records', () => {
    expect(fieldsOf(Named).map(({ name }) => name)).toEqual(['id', 'limits', 'extra']);
    expect(fieldMap(Named).get('id')).toMatchObject({ search: true, summary: true });
    expect({ ...parse(Named, { id: 'a' }) }).toEqual({ id: 'a', limits: { minutes: 10 } });
    expect({ ...parse(Both, { id: 'a' }) }).toEqual({ id: 'a', minutes: 10 });
    expect(() => PickType(Thing, ['nope' as 'id'])).toThrow('no field nope');
  });

  it('say in a patch only what changes', () => {
    expect({ ...parse(Patch, {}) }).toEqual({});
    expect({ ...parse(Patch, { limits: {} }) }).toEqual({ limits: { minutes: 10 } });
    expect({ ...parse(Deep, { limits: { note: 'n' } }) }).toEqual({ limits: { note: 'n' } });
    expect(violations(() => parse(Patch, { id: 'a', size: 99 }))).toEqual([
      'id: is not a known property',
      'size: must be at most 7',
    ]);
    expect(violations(() => parse(Deep, { limits: { minutes: 0 } }))).toHaveLength(1);
    expect(fieldMap(Thing).get('limits')!.default).toEqual({});
  });

  it('take an object, or the text of one', () => {
    class Note {
      @Json({ root: 'object-or-text' }) notes!: unknown;
    }
    for (const notes of [{ a: 1 }, '{"a":1}']) expect(parse(Note, { notes }).notes).toEqual(notes);
    for (const notes of [7, [], 'text', '[]', '7', true])
      expect(violations(() => parse(Note, { notes }))).toHaveLength(1);
  });

  it('are in the OpenAPI document', () => {
    const names = Reflect.getMetadata('swagger/apiModelPropertiesArray', Named.prototype);
    expect(names).toContain(':extra');
    const id = Reflect.getMetadata('swagger/apiModelProperties', Named.prototype, 'id');
    expect(id).toMatchObject({ type: 'string', maxLength: 5, required: true, minLength: 1 });
    for (const [of, name] of [
      [Thing, 'queues'],
      [Deep, 'limits'],
    ] as const) {
      const { type } = Reflect.getMetadata('swagger/apiModelProperties', of.prototype, name);
      expect(type.name).toBe('type');
      expect(type().name).toBe(name === 'queues' ? 'Queue' : 'PatchLimits');
    }
    const patched = Reflect.getMetadata('swagger/apiModelProperties', Patch.prototype, 'on');
    expect(patched).toMatchObject({ type: 'boolean', required: false });
    expect(patched).not.toHaveProperty('default');
  });
});
