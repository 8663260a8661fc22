import { problemOf } from './problem';
import { isReply, type Reply } from './reply';

/** What the running build says of itself. */
export interface VersionInfo {
  version: string;
  commit: string;
  build: string;
}

/** The body of every JSON answer: always all keys. */
export interface Envelope<T = unknown> {
  result: T;
  status: 'success' | 'error';
  message: string;
  version: string;
  commit: string;
  build: string;
  metadata: object | null;
}

/** Renders a reply, or whatever was thrown, as the body to send. */
export function envelopeOf<T>(answer: Reply<T> | Error, info: VersionInfo): Envelope<T | unknown> {
  const { version, commit, build } = info;
  if (isReply(answer)) {
    const { result, code, text, metadata } = answer;
    const message = text ? `${code} ${text}` : code;
    return {
      result: result === undefined ? null : result,
      status: 'success',
      message,
      version,
      commit,
      build,
      metadata,
    };
  }
  const { result, message } = problemOf(answer);
  return { result, status: 'error', message, version, commit, build, metadata: null };
}
