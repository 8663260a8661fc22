export type HostErrorKind =
  'unreachable' | 'timeout' | 'login-refused' | 'host-key-changed' | 'command-failed' | 'sftp';

/** Where an error happened; never holds a secret. */
export interface HostPlace {
  host: string;
  port: number;
  user: string;
}

const MARK = Symbol.for('platform.hosts.error');

/** Base of everything that can go wrong with a host. Recognise by `isHostError(e, kind?)`. */
export abstract class HostError extends Error implements HostPlace {
  abstract readonly kind: HostErrorKind;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly [MARK] = true;

  constructor(place: HostPlace, text: string, options?: ErrorOptions) {
    super(`${place.user}@${place.host}:${place.port}: ${text}`, options);
    this.name = new.target.name;
    this.host = place.host;
    this.port = place.port;
    this.user = place.user;
  }
}

/** No connection, or it broke: trying again later may help. */
export class HostUnreachable extends HostError {
  readonly kind = 'unreachable';
}

/** The host, or a command on it, did not answer in the time given. */
export class HostTimeout extends HostError {
  readonly kind = 'timeout';
}

/** The host refused the credential, or the credential cannot be used. */
export class LoginRefused extends HostError {
  readonly kind = 'login-refused';
}

/** The host showed a key that is none of the pinned ones. */
export class HostKeyChanged extends HostError {
  readonly kind = 'host-key-changed';

  constructor(
    place: HostPlace,
    readonly pinned: string[],
    readonly shown: string,
  ) {
    super(place, `HOST_KEY_CHANGED the host shows key ${shown}, pinned is ${pinned.join(', ')}`);
  }
}

/** The command ended with a code other than 0, by a signal, or said more than it may. */
export class CommandFailed extends HostError {
  readonly kind = 'command-failed';

  constructor(
    place: HostPlace,
    text: string,
    readonly code: number | null = null,
    readonly stderr = '',
  ) {
    super(place, text);
  }
}

export type SftpReason = 'missing' | 'denied' | 'failure' | 'unsupported';

/** The host's SFTP server refused one operation on one path; the connection is fine. */
export class SftpRefused extends HostError {
  readonly kind = 'sftp';

  constructor(
    place: HostPlace,
    readonly reason: SftpReason,
    readonly path: string,
    text: string,
  ) {
    super(place, `${path}: ${text}`);
  }
}

/** True for every error of this library, or of one kind of it. */
export function isHostError(error: unknown, kind?: HostErrorKind): error is HostError {
  return (
    typeof error === 'object' &&
    error !== null &&
    MARK in error &&
    (kind === undefined || (error as HostError).kind === kind)
  );
}

/** True when the same call may succeed later without anybody changing anything. */
export function isPassing(error: unknown): boolean {
  return isHostError(error, 'unreachable') || isHostError(error, 'timeout');
}
