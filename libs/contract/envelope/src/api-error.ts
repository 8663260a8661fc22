const MARK = Symbol.for('platform.api-error');

export interface ApiErrorOptions {
  cause?: unknown;
  /** Sent with the answer, such as `Retry-After` or `WWW-Authenticate`. */
  headers?: Record<string, string>;
}

/**
 * What a request ends with when it cannot be served: an HTTP status, a stable code and a text that
 * names the object and the rule. Everything in it is shown to the caller; no stack, no secret.
 */
export class ApiError extends Error {
  readonly [MARK] = true;
  readonly headers: Record<string, string>;

  constructor(
    readonly status: number,
    readonly code: string,
    readonly text: string,
    readonly result: unknown = null,
    options: ApiErrorOptions = {},
  ) {
    super(`${code} ${text}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.headers = options.headers ?? {};
    this.name = new.target.name;
  }
}

/** Tells by a mark, so that a second copy of this library or a test realm does not hide an error. */
export function isApiError(error: unknown, status?: number): error is ApiError {
  const marked = typeof error === 'object' && error !== null && MARK in error;
  return marked && (status === undefined || (error as ApiError).status === status);
}

/** Makes the error again that another service answered: `message` is its code, a blank, its text. */
export function apiErrorFrom(status: number, message: string, result: unknown = null): ApiError {
  const [, code, text] = /^([A-Z][A-Z0-9_]*)(?: +|$)([^]*)$/.exec(message) ?? [];
  return new ApiError(status, code ?? `HTTP_${status}`, code ? text! : message, result);
}
