import { ApiError, type ApiErrorOptions } from './api-error';

/** 400. `violations` are all the rules that the input broke, one text each. */
export class BadInput extends ApiError {
  readonly violations: readonly string[];

  /** `violations` are part of the message; without any the text stands alone. */
  constructor(code: string, text: string, violations: readonly string[] = []) {
    super(400, code, [text, violations.join('; ')].filter(Boolean).join(': '));
    this.violations = violations.length ? violations : [text];
  }
}

/** 401: no token, or one that may not be used. */
export class Unauthenticated extends ApiError {
  constructor(code: string, text: string, options?: ApiErrorOptions) {
    super(401, code, text, null, options);
  }
}

/** 403: the caller is known and may not do this. */
export class Forbidden extends ApiError {
  constructor(code: string, text: string, options?: ApiErrorOptions) {
    super(403, code, text, null, options);
  }
}

/** 404: missing, or not visible to the caller. `name` makes the result `{name}`. */
export class NotFound extends ApiError {
  constructor(code: string, text: string, name?: string) {
    super(404, code, text, name === undefined ? null : { name });
  }
}

/** 405 for a path that exists. */
export class MethodNotAllowed extends ApiError {
  constructor(code: string, text: string, allowed: readonly string[] = []) {
    super(405, code, text, null, { headers: allowed.length ? { Allow: allowed.join(', ') } : {} });
  }
}

/** 409: duplicate id, or not possible in the state the object is in. */
export class Conflict extends ApiError {
  constructor(code: string, text: string, options?: ApiErrorOptions) {
    super(409, code, text, null, options);
  }
}

/** 410: was there once. */
export class Gone extends ApiError {
  constructor(code: string, text: string) {
    super(410, code, text);
  }
}

/** 412: the object is not the version that If-Match names. */
export class PreconditionFailed extends ApiError {
  constructor(code: string, text: string) {
    super(412, code, text);
  }
}

/** 413: the body is larger than allowed. */
export class TooLarge extends ApiError {
  constructor(code: string, text: string) {
    super(413, code, text);
  }
}

/** 415: a kind of body that is not served here. */
export class UnsupportedMediaType extends ApiError {
  constructor(code: string, text: string) {
    super(415, code, text);
  }
}

/** 416: no byte of the object is in the range asked for. */
export class RangeNotSatisfiable extends ApiError {
  constructor(code: string, text: string, size?: number) {
    const headers = size === undefined ? undefined : { 'Content-Range': `bytes */${size}` };
    super(416, code, text, null, { headers });
  }
}

/** 429. */
export class TooMany extends ApiError {
  constructor(code: string, text: string, retryAfterSeconds?: number) {
    super(429, code, text, null, { headers: retryAfter(retryAfterSeconds) });
  }
}

/** 501: the type of this object cannot do that; name the type and the operation. */
export class Unsupported extends ApiError {
  constructor(code: string, text: string) {
    super(501, code, text);
  }
}

/** 502, or 504 with `timedOut`: a host, a store or another service failed. */
export class Upstream extends ApiError {
  constructor(
    code: string,
    text: string,
    { timedOut = false, ...options }: ApiErrorOptions & { timedOut?: boolean } = {},
  ) {
    super(timedOut ? 504 : 502, code, text, null, options);
  }
}

/** 503: not ready to serve. */
export class NotReady extends ApiError {
  constructor(code: string, text: string, result: unknown = null, retryAfterSeconds?: number) {
    super(503, code, text, result, { headers: retryAfter(retryAfterSeconds) });
  }
}

function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) };
}
