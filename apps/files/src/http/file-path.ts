import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { BadInput, NotFound } from '@libs/envelope';
import { isStorageError, normalisePath } from '@libs/storage';

export interface FilePath {
  systemId: string;
  /** Normalised, relative to the root; '' is the root. */
  path: string;
  /** Ends in a slash. */
  folder: boolean;
}

const ROUTE = /^\/v3\/files\/(?:utils\/linux|[a-z_]+)\/([^/?]*)([^?]*)/i;
const SYSTEM_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,79}$/;

/**
 * Parameter of a handler: system and path, taken from the URL as it came. The path is the rest of it, decoded once;
 * a framework that decodes by segments would lose where the slashes were.
 */
export const AtPath = createParamDecorator((_: unknown, context: ExecutionContext): FilePath => {
  const url = context.switchToHttp().getRequest<Request>().originalUrl;
  const [, encodedId = '', encodedPath = ''] = ROUTE.exec(url) ?? [];
  const systemId = decoded(encodedId);
  if (!SYSTEM_ID.test(systemId)) {
    throw new NotFound('FILES_SYS_NOTFOUND', 'no system can have the id in the path');
  }
  const raw = decoded(encodedPath);
  return { systemId, path: normalised(raw), folder: raw.endsWith('/') };
});

/** A path from a body or a query; what it may not hold is a 400 that names the field. */
export function normalised(raw: string, field = 'path'): string {
  try {
    return normalisePath(raw);
  } catch (error) {
    if (isStorageError(error)) throw new BadInput('FILES_BAD_PATH', `${field}: ${error.message}`);
    throw error;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadInput('FILES_BAD_PATH', 'the percent-encoding of the path is broken');
  }
}
