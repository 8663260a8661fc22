import { Script } from 'node:vm';
import picomatch from 'picomatch';
import { BadInput } from '@libs/envelope';

const LONGEST = 256;
const TIME_MS = 500;
const KEEP = new Script('names.map((name) => expression.test(name))');

/**
 * Which names a pattern picks: a glob, or after `regex:` a regular expression that may match anywhere, without regard
 * to case. Somebody else's expression may take for ever; so it runs against the clock.
 */
export function matchingNames(pattern: string, names: string[]): boolean[] {
  const expression = expressionOf(pattern);
  if (!expression) return names.map(() => true);
  try {
    return KEEP.runInNewContext({ names, expression }, { timeout: TIME_MS }) as boolean[];
  } catch {
    throw new BadInput('FILES_PATTERN', `pattern ${pattern} takes too long`);
  }
}

function expressionOf(pattern: string): RegExp | undefined {
  if (pattern === '*' || pattern === '') return undefined;
  if (pattern.length > LONGEST) {
    throw new BadInput('FILES_PATTERN', `pattern is longer than ${LONGEST} characters`);
  }
  try {
    if (pattern.startsWith('regex:')) return new RegExp(pattern.slice(6), 'i');
    return picomatch.makeRe(pattern, { dot: true, noextglob: true });
  } catch (error) {
    throw new BadInput('FILES_PATTERN', `pattern ${pattern}: ${(error as Error).message}`);
  }
}
