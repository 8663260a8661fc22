import type { LoggerService } from '@nestjs/common';
import { requestContext } from '@libs/auth';
import type { ServiceSettings } from '@libs/config';
import pino, { type DestinationStream } from 'pino';

type Write = {
  (fields: object, text?: string): void;
  (text: string): void;
};

/** Injectable log of the service: JSON lines that carry tenant, user and the ids of the running request. */
export abstract class Log {
  abstract readonly debug: Write;
  abstract readonly info: Write;
  abstract readonly warn: Write;
  abstract readonly error: Write;
  abstract isLevelEnabled(level: string): boolean;
  abstract child(fields: Record<string, unknown>): Log;
}

/** Whatever a careless log line holds under these names is not written. */
const SECRETS = [
  'password',
  'privateKey',
  'tmsPrivateKey',
  'accessSecret',
  'accessToken',
  'refreshToken',
  'token',
  'refresh_token',
  'authorization',
  'client_key',
  'secret',
];

function context(): object {
  const current = requestContext();
  if (!current) return {};
  const { trackingId, requestId, traceparent, caller } = current;
  const ids = { trackingId, requestId, traceparent };
  return caller ? { ...ids, tenant: caller.tenant, user: caller.user } : ids;
}

export function createLog(
  service: string,
  settings: ServiceSettings,
  destination?: DestinationStream,
): Log {
  const options: pino.LoggerOptions = {
    level: settings.logLevel,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    mixin: context,
    redact: { paths: SECRETS.flatMap((s) => [s, `*.${s}`, `*.*.${s}`]), censor: '********' },
    serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
  };
  return pino(options, destination ?? destinationOf(settings)) as Log;
}

const files = new Map<string, DestinationStream>();

/** Services of one process that log to the same file share its stream. */
function destinationOf({ logFile }: ServiceSettings): DestinationStream {
  if (!logFile) return process.stderr;
  let stream = files.get(logFile);
  if (!stream) {
    // written at once: the last lines before a kill are the ones that matter
    stream = pino.destination({ dest: logFile, append: true, mkdir: true, sync: true });
    files.set(logFile, stream);
  }
  return stream;
}

/** The framework's own lines: its start-up chatter only on debug. */
export function frameworkLogger(log: Log): LoggerService {
  const text = (message: unknown) => (typeof message === 'string' ? message : String(message));
  return {
    log: (message) => log.debug(text(message)),
    debug: (message) => log.debug(text(message)),
    verbose: (message) => log.debug(text(message)),
    warn: (message) => log.warn(text(message)),
    error: (message, stack) => log.error({ stack: stack as unknown }, text(message)),
  };
}
