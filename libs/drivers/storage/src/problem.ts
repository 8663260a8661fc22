import {
  ApiError,
  BadInput,
  Conflict,
  Forbidden,
  isApiError,
  NotFound,
  RangeNotSatisfiable,
  Unsupported,
  Upstream,
} from '@libs/envelope';
import { type HostError, type HostKeyChanged, isHostError, isPassing } from '@libs/hosts';
import { isStorageError, type StorageError } from './storage-error';

/** Whose store it was, for the text. */
export interface StorePlace {
  tenant: string;
  systemId: string;
}

/**
 * What went wrong with a store as an answer of the platform: a stable code and a text that names tenant, system and
 * path. Errors that are not of stores or hosts pass unchanged.
 */
export function storeProblem(error: unknown, place: StorePlace): unknown {
  if (isApiError(error)) return error;
  if (isStorageError(error)) return fromStore(error, place);
  if (isHostError(error)) return fromHost(error, place);
  return error;
}

/** The same call may succeed later without anybody changing anything. Looks at what an answer was made from. */
export function isPassingProblem(error: unknown): boolean {
  if (isHostError(error)) return isPassing(error);
  if (isStorageError(error)) return error.passing;
  if (!isApiError(error)) return false;
  const { cause } = error;
  if (isHostError(cause) || isStorageError(cause)) return isPassingProblem(cause);
  return [502, 503, 504, 429].includes(error.status);
}

function fromStore(error: StorageError, { tenant, systemId }: StorePlace): ApiError {
  const text = `System ${systemId} of tenant ${tenant}, path ${error.message}`;
  const options = { cause: error };
  switch (error.reason) {
    case 'missing':
      return new NotFound('FILES_PATH_NOT_FOUND', text);
    case 'denied':
      return new Forbidden('FILES_CLIENT_SSH_PERM_DENIED', text, options);
    case 'outside-root':
      return new Forbidden('FILES_PATH_OUTSIDE_ROOT', text, options);
    case 'bad-path':
      return new BadInput('FILES_BAD_PATH', text);
    case 'is-directory':
      return new BadInput('FILES_PATH_IS_DIR', text);
    case 'not-directory':
      return new BadInput('FILES_CLIENT_SSH_MKDIR_FILE', text);
    case 'same-path':
      return new BadInput('FILES_SRC_DST_SAME', text);
    case 'exists':
      return new Conflict('FILES_PATH_EXISTS', text, options);
    case 'special-file':
      return new Unsupported('FILES_CLIENT_SPECIAL_FILE', text);
    case 'unsupported':
      return new Unsupported('FILES_OPS_UNSUPPORTED', text);
    case 'range':
      return new RangeNotSatisfiable('FILES_RANGE', text);
    case 'refused-address':
      return new Forbidden('FILES_ADDRESS_REFUSED', text, options);
    case 'http':
      return new Upstream('FILES_CLIENT_HTTP_ERR', text, options);
    default:
      return new Upstream('FILES_CLIENT_SSH_CMD_ERR', text, options);
  }
}

function fromHost(error: HostError, { tenant, systemId }: StorePlace): ApiError {
  const text = `System ${systemId} of tenant ${tenant}, host ${error.host}:${error.port}, login user ${error.user}`;
  const options = { cause: error };
  switch (error.kind) {
    case 'login-refused':
      return new Forbidden(
        'FILES_LOGIN_REFUSED',
        `${text}: the host refused the credential`,
        options,
      );
    case 'host-key-changed': {
      const { pinned, shown } = error as HostKeyChanged;
      const keys = `the host shows key ${shown}, pinned is ${pinned.join(', ')}`;
      return new Forbidden('HOST_KEY_CHANGED', `${text}: ${keys}`, options);
    }
    case 'timeout':
      return new Upstream('FILES_HOST_TIMEOUT', `${text}: no answer in time`, {
        ...options,
        timedOut: true,
      });
    case 'unreachable':
      return new Upstream('FILES_HOST_UNREACHABLE', `${text}: it cannot be reached`, options);
    default:
      return new Upstream('FILES_CLIENT_SSH_CMD_ERR', `${text}: an operation failed`, options);
  }
}
