/** The schema whose fifth part is a path: `files:<tenant>:<op>:<system>:<path>`. */
const PATH_SCHEMA = 'files';
const PATH_PART = 4;

/** One part of a permission: alternatives, or a path, which is one text whatever its characters. */
export interface Part {
  words: readonly string[];
  path?: string;
}

/** Splits a permission into its parts; the path of a path schema stays whole, colons and commas included. */
export function partsOf(permission: string): Part[] {
  const texts = permission.split(':');
  if (texts[0] !== PATH_SCHEMA || texts.length <= PATH_PART) return texts.map(wordsOf);
  const path = texts.splice(PATH_PART).join(':');
  return [...texts.map(wordsOf), { words: [path], path }];
}

export const isPathPermission = (permission: string): boolean =>
  partsOf(permission).at(-1)?.path !== undefined;

/**
 * Every path that allows this one: itself and all above it, with and without a final slash. A path allows itself and
 * what is below it; with a final slash only what is below it and itself spelled so.
 */
export function pathsThatAllow(path: string): Set<string> {
  const found = new Set([path]);
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    found.add(path.slice(0, at)).add(path.slice(0, at + 1));
  return found;
}

/** Whether who holds `assigned` may do `requested` (section 5.6 of the contract). Case-sensitive. */
export function implies(assigned: string, requested: string): boolean {
  const mine = partsOf(assigned);
  const theirs = partsOf(requested);
  // What the assigned permission leaves out counts as a star; what it has more must not narrow anything.
  return mine.every((a, i) => (theirs[i] ? partImplies(a, theirs[i]) : isStar(a)));
}

/** A star in a path is a character like any other. */
export const isStar = ({ words, path }: Part): boolean => path === undefined && words.includes('*');

function partImplies(a: Part, r: Part): boolean {
  if (a.path !== undefined) return r.path !== undefined && pathsThatAllow(r.path).has(a.path);
  return isStar(a) || r.words.every((word) => a.words.includes(word));
}

function wordsOf(text: string): Part {
  return { words: text.includes(',') ? text.split(',') : [text] };
}
