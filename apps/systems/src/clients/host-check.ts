import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { HostPool, readPrivateKey, sharedHostPool, type Host, type HostLogin } from '@libs/hosts';
import { lines, type StoredCredential } from '../domain/credential';
import { SystemsSettings } from '../settings';
import { whenChecked, whenUsed } from './host-outcome';

export interface HostAddress {
  id: string;
  host: string;
  port: number;
  hostKeys: string[];
}

/** Real logins to hosts: to try a credential, to learn the host's key, to ask for a variable. */
@Injectable()
export class HostCheck implements OnApplicationShutdown {
  private readonly shared = sharedHostPool();

  constructor(private readonly settings: SystemsSettings) {}

  /** Logs in anew; answers the key that the host showed. */
  async login(
    address: HostAddress,
    user: string,
    credential: StoredCredential,
  ): Promise<string | undefined> {
    let shown: string | undefined;
    const onHostKey = (fingerprint: string) => void (shown = fingerprint);
    await this.tried(address, { ...loginTo(address, user, credential), onHostKey }, (host) =>
      host.check(),
    );
    return shown;
  }

  /** With a credential that is being registered: the value of a variable; empty when it is not set. */
  variable(
    address: HostAddress,
    user: string,
    credential: StoredCredential,
    name: string,
  ): Promise<string> {
    const login = loginTo(address, user, credential);
    return this.tried(address, login, (host) => host.variable(name));
  }

  /** The same with a registered credential, over the connections that this process keeps open. */
  async ask(
    address: HostAddress,
    user: string,
    credential: StoredCredential,
    name: string,
  ): Promise<string> {
    const login = loginTo(address, user, credential);
    try {
      return await this.shared.pool.host(login).variable(name);
    } catch (error) {
      throw whenUsed(error, address.id, login);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.shared.release();
  }

  /** On a connection of its own: one that is open already would prove nothing. */
  private async tried<T>(
    { id }: HostAddress,
    login: HostLogin,
    work: (host: Host) => Promise<T>,
  ): Promise<T> {
    const pool = new HostPool({
      maxConnectionsPerHost: 1,
      connectTimeoutMs: this.settings.connectSeconds * 1000,
    });
    try {
      return await work(pool.host(login));
    } catch (error) {
      throw whenChecked(error, id, login);
    } finally {
      await pool.close();
    }
  }
}

function loginTo(
  { host, port, hostKeys }: HostAddress,
  user: string,
  { privateKey, tmsPrivateKey, password = '' }: StoredCredential,
): HostLogin {
  const key = privateKey ?? tmsPrivateKey;
  const auth = key ? { privateKey: readPrivateKey(lines(key)).key ?? key } : { password };
  return { host, port: port > 0 ? port : 22, user, auth, hostKeys };
}
