const MARK = Symbol.for('platform.reply');

export interface ReplyOptions {
  /** 200 when absent. */
  status?: number;
  metadata?: object | null;
  /** Without quotes; whoever sends it adds them. */
  etag?: string;
  headers?: Record<string, string>;
}

/** A successful answer before it becomes an envelope. */
export interface Reply<T> {
  readonly code: string;
  readonly text: string;
  readonly result: T;
  readonly status: number;
  readonly metadata: object | null;
  readonly etag?: string;
  readonly headers: Record<string, string>;
}

/** `reply('SYSAPI_FOUND', 'system a of dev', system, {etag})`: what a controller returns. */
export function reply<T>(
  code: string,
  text: string,
  result: T,
  { status = 200, metadata = null, etag, headers = {} }: ReplyOptions = {},
): Reply<T> {
  const answer = { code, text, result, status, metadata, etag, headers };
  return Object.defineProperty(answer, MARK, { value: true });
}

export function isReply(value: unknown): value is Reply<unknown> {
  return typeof value === 'object' && value !== null && MARK in value;
}
