import { hash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { PreconditionFailed } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import type { Request } from 'express';

/** A tag that changes with the values: `etagOf(row.uuid, row.updated)`. */
export const etagOf = (...values: unknown[]): string =>
  hash('sha1', JSON.stringify(values), 'base64url');

/** Parameter of a handler: the If-Match header, if any. */
export const IfMatch = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | undefined =>
    context.switchToHttp().getRequest<Request>().headers['if-match'],
);

/** 412 unless the header is absent, `*`, or names this tag. */
export function requireMatch(ifMatch: string | undefined, etag: string, what: string): void {
  if (!ifMatch) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.includes(`"${etag}"`)) return;
  throw new PreconditionFailed(
    platform().code('CHANGED_MEANWHILE'),
    `${what} is not the version that If-Match names`,
  );
}
