import type { Entry } from '@libs/storage';

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** By name without regard to case, level by level; the same every time while nothing changes. */
export function inListingOrder<T extends Entry>(entries: T[]): T[] {
  const keyed = entries.map((entry) => ({ entry, keys: entry.path.split('/') }));
  keyed.sort((a, b) => {
    for (let i = 0; i < Math.min(a.keys.length, b.keys.length); i++) {
      const [x, y] = [a.keys[i]!, b.keys[i]!];
      const order = x === y ? 0 : compare(x.toLowerCase(), y.toLowerCase()) || compare(x, y);
      if (order) return order;
    }
    return a.keys.length - b.keys.length;
  });
  return keyed.map(({ entry }) => entry);
}
