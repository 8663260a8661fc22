import { BadInput, isApiError } from '@libs/envelope';
import { inspect, type Class } from '@libs/fields';

/** Whether nothing is wrong with an attribute, by its path: `jobAttributes.fileInputs`. */
export type IsClear = (path: string) => boolean;

/** A body about an app, what is wrong with its fields, and what that leaves clear for the rules over several. */
export function readBody<T extends object>(
  of: Class<T>,
  body: unknown,
  ignore: readonly string[] = [],
): { value: T; violations: readonly string[]; isClear: IsClear } {
  const options = { code: 'APPLIB_INVALID', what: 'the app', ignore };
  const { value, violations, paths } = inspect(of, body, options);
  const isClear = (path: string) =>
    !paths.some((at) => within(at, path) || (at !== '' && within(path, at)));
  return { value, violations, isClear };
}

/** Runs what may refuse the request for another reason: a body that is wrong is told first, whoever sent it. */
export async function afterBody<T>(
  violations: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!violations.length || !isApiError(error)) throw error;
    throw new BadInput('APPLIB_INVALID', 'the body is not valid', [...violations]);
  }
}

/** `a.b[1]` is within `a.b` and within `a`. */
const within = (path: string, other: string): boolean =>
  path === other || path.startsWith(`${other}.`) || path.startsWith(`${other}[`);
