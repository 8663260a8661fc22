import { BadInput, Forbidden, Upstream } from '@libs/envelope';
import { isHostError, type HostError, type HostLogin } from '@libs/hosts';

interface Outcome {
  code: string;
  text: string;
}

/** At registration every failure is a 400 with its outcome code (ruling 56). */
export function whenChecked(error: unknown, id: string, login: HostLogin): unknown {
  if (!isHostError(error)) return error;
  const { code, text } = outcomeOf(error, id, login);
  return new BadInput(code, text);
}

/** Later the host or its answer to a known credential is what failed (ruling 35). */
export function whenUsed(error: unknown, id: string, login: HostLogin): unknown {
  if (!isHostError(error)) return error;
  const { code, text } = outcomeOf(error, id, login);
  const refused = error.kind === 'login-refused' || error.kind === 'host-key-changed';
  if (refused) return new Forbidden(code, text);
  return new Upstream(code, text, { timedOut: error.kind === 'timeout' });
}

/** Errors of hosts begin with the login already, others don't. */
const named = ({ message }: HostError, login: string): string =>
  message.startsWith(login) ? message : `${login}: ${message}`;

function outcomeOf(error: HostError, id: string, { user, host, port }: HostLogin): Outcome {
  const login = `${user}@${host}:${port}`;
  switch (error.kind) {
    case 'login-refused':
      return {
        code: 'SYSAPI_CRED_VALID_FAIL',
        text: `System "${id}": the login was refused: ${named(error, login)}`,
      };
    case 'host-key-changed':
      return {
        code: 'HOST_KEY_CHANGED',
        text: `System "${id}": ${error.message}; if the host was really set up anew, its owner may forget the pinned key (DELETE /v3/systems/${id}/hostKey)`,
      };
    default:
      return {
        code: 'SYSAPI_CRED_CONN_FAIL',
        text: `System "${id}": there is no connection: ${named(error, login)}`,
      };
  }
}
