import { platform } from '@libs/platform-name';
import { ApiError, isApiError } from './api-error';
import { isRecoverable } from './recoverable';

/**
 * The error a caller may see for anything that was thrown. What is not an ApiError says nothing of
 * itself: 500, or 503 for a recoverable one; the log has the rest under the tracking id.
 */
export function problemOf(thrown: unknown): ApiError {
  if (isApiError(thrown)) return thrown;
  if (isRecoverable(thrown)) {
    return new ApiError(503, platform().code('TRY_AGAIN'), 'a part of the platform is away', null, {
      cause: thrown,
      headers: { 'Retry-After': '5' },
    });
  }
  return new ApiError(
    500,
    platform().code('INTERNAL_ERROR'),
    'the request failed inside the platform',
    null,
    { cause: thrown },
  );
}
