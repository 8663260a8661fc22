export type StorageReason =
  | 'missing'
  | 'denied'
  | 'outside-root'
  | 'bad-path'
  | 'is-directory'
  | 'not-directory'
  | 'exists'
  | 'same-path'
  | 'special-file'
  | 'unsupported'
  | 'refused-address'
  | 'http'
  | 'range'
  | 'failed';

const MARK = Symbol.for('platform.storage.error');

/** What a store says no to. Trouble with the host itself arrives as the errors of the hosts library, unchanged. */
export class StorageError extends Error {
  readonly [MARK] = true;

  constructor(
    readonly reason: StorageReason,
    readonly path: string,
    text: string,
    options?: ErrorOptions & { passing?: boolean },
  ) {
    super(`${path || '/'}: ${text}`, options);
    this.name = 'StorageError';
    this.passing = options?.passing ?? false;
  }

  /** The same call may succeed later without anybody changing anything. */
  readonly passing: boolean;
}

export function isStorageError(error: unknown, reason?: StorageReason): error is StorageError {
  return (
    typeof error === 'object' &&
    error !== null &&
    MARK in error &&
    (reason === undefined || (error as StorageError).reason === reason)
  );
}
