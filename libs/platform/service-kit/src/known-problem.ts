import { HttpException } from '@nestjs/common';
import { ApiError, BadInput, TooLarge, UnsupportedMediaType } from '@libs/envelope';
import { platform } from '@libs/platform-name';

interface ParserError {
  status?: number;
  type?: string;
  /** Set by the parsers where the client is to blame, as for a body that does not unpack. */
  expose?: boolean;
}

/** Turns what the framework and its body parsers throw into the errors of the platform; the rest passes. */
export function knownProblem(thrown: unknown): unknown {
  if (thrown instanceof HttpException) {
    const status = thrown.getStatus();
    return status >= 500
      ? thrown
      : new ApiError(status, platform().code(`HTTP_${status}`), thrown.message);
  }
  if (!(thrown instanceof Error)) return thrown;
  const { status, type, expose } = thrown as ParserError;
  if (thrown instanceof URIError)
    return new BadInput(platform().code('BAD_PATH'), 'The path is not percent-encoded correctly');
  switch (type) {
    case 'entity.too.large':
      return new TooLarge(platform().code('BODY_TOO_LARGE'), 'The body is larger than 1 MiB');
    case 'entity.parse.failed':
      return new BadInput(platform().code('BAD_JSON'), 'The body is not valid JSON');
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new UnsupportedMediaType(platform().code('BAD_ENCODING'), thrown.message);
    default:
      return (type || expose) && status && status < 500
        ? new BadInput(platform().code('BAD_BODY'), 'The body could not be read')
        : thrown;
  }
}
