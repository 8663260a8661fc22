import { keyRing } from './key-ring';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const later = '2030-02-01T00:00:00.000Z';
const before = '2029-12-31T00:00:00.000Z';
const key = (kid: string, until?: string) => ({
  kid,
  public_key: `key ${kid}`,
  ...(until && { until }),
});

it('keeps an earlier key until its last token has expired', () => {
  const lives = new Map([
    ['old', new Date(later)],
    ['gone', new Date(before)],
    ['longer', new Date(later)],
  ]);
  const recorded = [key('old'), key('gone'), key('longer', before), key('unused')];
  expect(keyRing(key('new'), recorded, lives, NOW)).toEqual([
    key('new'),
    key('old', later),
    key('longer', later),
  ]);
});

it('believes the record about keys of others', () => {
  const recorded = [key('new', later), key('theirs', later), key('past', before)];
  expect(keyRing(key('new'), recorded, new Map(), NOW)).toEqual([key('new'), key('theirs', later)]);
});
