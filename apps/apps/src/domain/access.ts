import type { Caller } from '@libs/auth';
import { Forbidden, NotFound } from '@libs/envelope';

export type AppRight = 'READ' | 'MODIFY' | 'EXECUTE';

export const rightOn = (tenant: string, right: string, id: string): string =>
  `app:${tenant}:${right}:${id}`;

export const missing = (tenant: string, id: string, version?: string): NotFound =>
  version === undefined
    ? new NotFound('APPLIB_NOT_FOUND', `There is no app "${id}" in tenant ${tenant}.`, id)
    : new NotFound(
        'APPLIB_VER_NOT_FOUND',
        `There is no version "${version}" of an app "${id}" in tenant ${tenant}.`,
        id,
      );

export const refused = (caller: Caller, id: string, what: string): Forbidden =>
  new Forbidden('APPLIB_UNAUTH', `${caller.user}@${caller.tenant} may not ${what} app "${id}".`);
