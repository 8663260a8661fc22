import { Injectable } from '@nestjs/common';
import { BadInput } from '@libs/envelope';
import { HostPool, isHostError, type Host, type HostLogin } from '@libs/hosts';
import type { Credential } from '../domain/credential';
import { SystemsSettings } from '../settings';

export interface HostAddress {
  id: string;
  host: string;
  port: number;
  hostKeys: string[];
}

/** Real logins to hosts: to try a credential, to learn the host's key, to ask for a variable. */
@Injectable()
export class HostCheck {
  constructor(private readonly settings: SystemsSettings) {}

  /** Logs in; answers the key that the host showed. Every failure is a 400 with its outcome code (ruling 56). */
  async login(
    address: HostAddress,
    user: string,
    credential: Credential,
  ): Promise<string | undefined> {
    let shown: string | undefined;
    await this.connected(
      address,
      user,
      credential,
      (fingerprint) => (shown = fingerprint),
      (host) => host.check(),
    );
    return shown;
  }

  /** The value of a variable in the login's environment; empty when it is not set. */
  async variable(
    address: HostAddress,
    user: string,
    credential: Credential,
    name: string,
  ): Promise<string> {
    return this.connected(
      address,
      user,
      credential,
      () => undefined,
      (host) => host.variable(name),
    );
  }

  private async connected<T>(
    address: HostAddress,
    user: string,
    credential: Credential,
    onHostKey: (fingerprint: string) => void,
    work: (host: Host) => Promise<T>,
  ): Promise<T> {
    const login: HostLogin = {
      host: address.host,
      port: address.port > 0 ? address.port : 22,
      user,
      auth: credential.privateKey
        ? { privateKey: credential.privateKey }
        : { password: credential.password ?? '' },
      hostKeys: address.hostKeys,
      onHostKey,
    };
    const pool = new HostPool({
      maxConnectionsPerHost: 1,
      connectTimeoutMs: this.settings.connectSeconds * 1000,
    });
    try {
      return await work(pool.host(login));
    } catch (error) {
      throw outcome(error, address.id, login);
    } finally {
      await pool.close();
    }
  }
}

function outcome(error: unknown, id: string, { user, host, port }: HostLogin): unknown {
  if (!isHostError(error)) return error;
  const login = `${user}@${host}:${port}`;
  switch (error.kind) {
    case 'login-refused':
      return new BadInput(
        'SYSAPI_CRED_VALID_FAIL',
        `System "${id}": host refused the credential of ${login}: ${error.message}`,
      );
    case 'host-key-changed':
      return new BadInput(
        'HOST_KEY_CHANGED',
        `System "${id}": ${error.message}; if the host was really set up anew, its owner may forget the pinned key (DELETE /v3/systems/${id}/hostKey)`,
      );
    default:
      return new BadInput(
        'SYSAPI_CRED_CONN_FAIL',
        `System "${id}": no connection as ${login}: ${error.message}`,
      );
  }
}
