import {
  CommandFailed,
  type HostErrorKind,
  HostKeyChanged,
  type HostPlace,
  HostTimeout,
  HostUnreachable,
  isHostError,
  LoginRefused,
  type SftpReason,
  SftpRefused,
} from './host-errors';
import { SourceFailed } from './sftp-pump';

/** An error as it crosses from one thread to another, where classes and marks are lost. */
export interface PlainError {
  source: boolean;
  kind?: HostErrorKind;
  place: HostPlace;
  text: string;
  more: { pinned?: string[]; shown?: string; reason?: SftpReason; path?: string };
}

export function plainOf(error: unknown): PlainError {
  const source = error instanceof SourceFailed;
  const inner = (source ? error.cause : error) as Error & PlainError['more'];
  const more = {
    pinned: inner.pinned,
    shown: inner.shown,
    reason: inner.reason,
    path: inner.path,
  };
  if (!isHostError(inner)) {
    return { source, place: { host: '', port: 0, user: '' }, text: inner.message, more };
  }
  const { kind, host, port, user } = inner;
  const text = inner.message.slice(`${user}@${host}:${port}: `.length);
  return { source, kind, place: { host, port, user }, text, more };
}

export function errorOf(plain: PlainError): Error {
  const error = hostErrorOf(plain);
  return plain.source ? new SourceFailed(error) : error;
}

function hostErrorOf({ kind, place, text, more }: PlainError): Error {
  switch (kind) {
    case 'unreachable':
      return new HostUnreachable(place, text);
    case 'timeout':
      return new HostTimeout(place, text);
    case 'login-refused':
      return new LoginRefused(place, text);
    case 'host-key-changed':
      return new HostKeyChanged(place, more.pinned ?? [], more.shown ?? '');
    case 'command-failed':
      return new CommandFailed(place, text);
    case 'sftp': {
      const path = more.path ?? '';
      return new SftpRefused(place, more.reason ?? 'failure', path, text.slice(`${path}: `.length));
    }
    default:
      return new Error(text);
  }
}
