import { NotFound } from '@libs/envelope';

export const missing = (tenant: string, id: string, version?: string): NotFound =>
  version === undefined
    ? new NotFound('APPLIB_NOT_FOUND', `There is no app "${id}" in tenant ${tenant}.`, id)
    : new NotFound(
        'APPLIB_VER_NOT_FOUND',
        `There is no version "${version}" of an app "${id}" in tenant ${tenant}.`,
        id,
      );
