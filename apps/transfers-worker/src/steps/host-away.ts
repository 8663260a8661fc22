import { isApiError } from '@libs/envelope';

/** Whether a host can't be reached now: every other file would fail the same way. */
export const isHostAway = (error: unknown): boolean =>
  isApiError(error) && ['FILES_HOST_UNREACHABLE', 'FILES_HOST_TIMEOUT'].includes(error.code);
