import { BadInput } from '@libs/envelope';
import { platform } from '@libs/platform-name';

const CONTROL_IN_PATH = /%[01][0-9a-f]|%7f/i;
const NUL_IN_QUERY = /%00/;

/** No name and no path has control characters, and no database takes a NUL: refused before anything looks at it. */
export function urlProblem(url: string): BadInput | undefined {
  if (!url.includes('%')) return undefined;
  const question = url.indexOf('?');
  const path = question < 0 ? url : url.slice(0, question);
  if (CONTROL_IN_PATH.test(path))
    return new BadInput(platform().code('BAD_PATH'), 'The path has control characters');
  if (question >= 0 && NUL_IN_QUERY.test(url.slice(question)))
    return new BadInput(platform().code('BAD_QUERY'), 'The query has NUL characters');
  return undefined;
}
