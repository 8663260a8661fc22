import { requestContext } from '@libs/auth';
import { isApiError } from '@libs/envelope';
import { path, type ServiceCalls, type ServiceClient } from '@libs/service-client';
import type { SecretRef, SecretVersion } from './secrets';
import type { PrivilegeQuestion, Share, ShareFilter, ShareKey } from './shares';

/** A user of a tenant; a `Caller` fits. */
export interface Who {
  tenant: string;
  user: string;
}

const ROOT = '/v3/security';

/** Questions and orders to the security kernel: roles, permissions, shares, secrets. Injectable. */
export class SecurityClient {
  constructor(
    private readonly client: ServiceClient,
    private readonly service: string,
  ) {}

  /** Whether the user holds a permission that implies this one; with `orAdmin` a tenant admin may anything. */
  isPermitted({ tenant, user }: Who, permSpec: string, orAdmin = false): Promise<boolean> {
    return this.ask(tenant, 'isPermitted', { user, permSpec, orAdmin });
  }

  isPermittedAny({ tenant, user }: Who, permSpecs: string[], orAdmin = false): Promise<boolean> {
    return this.ask(tenant, 'isPermittedAny', { user, permSpecs, orAdmin });
  }

  isPermittedAll({ tenant, user }: Who, permSpecs: string[], orAdmin = false): Promise<boolean> {
    return this.ask(tenant, 'isPermittedAll', { user, permSpecs, orAdmin });
  }

  hasRole({ tenant, user }: Who, roleName: string, orAdmin = false): Promise<boolean> {
    return this.ask(tenant, 'hasRole', { user, roleName, orAdmin });
  }

  /** Tenant admin, or administrator of the tenant's site. */
  isAdmin({ tenant, user }: Who): Promise<boolean> {
    return this.ask(tenant, 'isAdmin', { user });
  }

  /** Gives the permission to the user's default role; how many things that changed. */
  grant({ tenant, user }: Who, permSpec: string): Promise<number> {
    return this.change(tenant, 'user/grantUserPermission', { user, permSpec });
  }

  revoke({ tenant, user }: Who, permSpec: string): Promise<number> {
    return this.change(tenant, 'user/revokeUserPermission', { user, permSpec });
  }

  /** What the user holds through all roles; `implies`/`impliedBy` keep the entries implied by, or implying, this one. */
  async permissionsOf(
    { tenant, user }: Who,
    filter: { implies?: string; impliedBy?: string } = {},
  ): Promise<string[]> {
    const query = { tenant, ...filter };
    const found = path`/user/perms/${user}`;
    return (await this.calls(tenant).get<Names>('security', ROOT + found, { query })).names;
  }

  /** Users holding exactly this permission; `%` stands for any characters. */
  async usersWithPermission(tenant: string, permSpec: string): Promise<string[]> {
    const found = path`/user/withPermission/${permSpec}`;
    const options = { query: { tenant } };
    return (await this.calls(tenant).get<Names>('security', ROOT + found, options)).names;
  }

  /** Takes exactly this permission from every role of the tenant. */
  revokeFromAll(tenant: string, permSpec: string): Promise<number> {
    return this.change(tenant, 'role/removePermFromAllRoles', { permSpec });
  }

  /** Takes every path permission below this one from all roles (files service only). */
  revokePathFromAll(tenant: string, permSpec: string): Promise<number> {
    return this.change(tenant, 'role/removePathPermFromAllRoles', { permSpec });
  }

  /** Moves path permissions from one prefix to another (files service only). */
  replacePathPrefix(
    tenant: string,
    move: { oldSystemId: string; newSystemId: string; oldPrefix?: string; newPrefix?: string },
  ): Promise<number> {
    return this.change(tenant, 'role/replacePathPrefix', { schema: 'files', ...move });
  }

  async share(key: ShareKey): Promise<void> {
    await this.calls(key.tenant).post('security', `${ROOT}/share`, { body: key });
  }

  /** Only shares made by this service; how many are gone. */
  async unshare(key: ShareKey): Promise<number> {
    const query = { ...key, resourceId2: key.resourceId2 ?? undefined };
    const calls = this.calls(key.tenant);
    return (await calls.delete<Changes>('security', `${ROOT}/share`, { query })).changes;
  }

  async shares(filter: ShareFilter): Promise<Share[]> {
    const calls = this.calls(filter.tenant);
    const options = { query: { ...filter } };
    return (await calls.get<{ shares: Share[] }>('security', `${ROOT}/share`, options)).shares;
  }

  async hasPrivilege(question: PrivilegeQuestion): Promise<boolean> {
    const calls = this.calls(question.tenant);
    const url = `${ROOT}/share/hasPrivilege`;
    return (await calls.get<{ aBool: boolean }>('security', url, { query: { ...question } })).aBool;
  }

  /** Stores a new version of a secret. */
  writeSecret(
    { type, name, tenant, user, keys }: SecretRef,
    data: Record<string, string>,
  ): Promise<SecretVersion> {
    const url = ROOT + path`/vault/secret/${type}/${name}`;
    return this.calls(tenant).post('security', url, { query: keys, body: { tenant, user, data } });
  }

  /** The newest version, or undefined when there is none. */
  async readSecret(ref: SecretRef): Promise<Record<string, string> | undefined> {
    return (await this.secretVersion(ref))?.data;
  }

  /** One version of a secret, 0 for the newest, with its number; undefined when it is not there. */
  async secretVersion(
    { type, name, tenant, user, keys }: SecretRef,
    version = 0,
  ): Promise<{ data: Record<string, string>; version: number } | undefined> {
    const url = ROOT + path`/vault/secret/${type}/${name}`;
    try {
      const query = { tenant, user, ...keys, ...(version ? { version } : {}) };
      const found = await this.calls(tenant).get<SecretFound>('security', url, { query });
      return { data: found.secretMap, version: found.metadata.version };
    } catch (error) {
      if (isApiError(error, 404)) return undefined;
      throw error;
    }
  }

  /** Destroys all versions; fine when there is none. */
  async destroySecret({ type, name, tenant, user, keys }: SecretRef): Promise<void> {
    const url = ROOT + path`/vault/secret/destroy/meta/${type}/${name}`;
    const query = { tenant, user, ...keys };
    try {
      await this.calls(tenant).delete('security', url, { query });
    } catch (error) {
      if (!isApiError(error, 404)) throw error;
    }
  }

  /** Names of the secrets of a type; folders end with a slash. */
  async listSecrets({ type, tenant, user, keys }: Omit<SecretRef, 'name'>): Promise<string[]> {
    const url = ROOT + path`/vault/secret/list/meta/${type}`;
    const options = { query: { tenant, user, ...keys } };
    return (await this.calls(tenant).get<{ keys: string[] }>('security', url, options)).keys;
  }

  /** Whether this is the password of the service; for the tokens service. */
  isServicePassword(tenant: string, service: string, password: string): Promise<boolean> {
    return this.isPassword('validateServicePassword', tenant, service, password);
  }

  /** Whether this user administers the site and this is the password; for the tokens service. */
  isSiteAdminPassword(tenant: string, user: string, password: string): Promise<boolean> {
    return this.isPassword('validateSiteAdminPassword', tenant, user, password);
  }

  private async isPassword(
    what: string,
    tenant: string,
    user: string,
    password: string,
  ): Promise<boolean> {
    const url = ROOT + path`/vault/secret/${what}/${'password'}`;
    const body = { tenant, user, password };
    try {
      return (await this.calls(tenant).post<Authorized>('security', url, { body })).isAuthorized;
    } catch (error) {
      if (isApiError(error, 403)) return false;
      throw error;
    }
  }

  private async ask(tenant: string, what: string, body: object): Promise<boolean> {
    const calls = this.calls(tenant);
    const options = { body: { tenant, ...body } };
    return (await calls.post<Authorized>('security', `${ROOT}/user/${what}`, options)).isAuthorized;
  }

  private async change(tenant: string, what: string, body: object): Promise<number> {
    const options = { body: { tenant, ...body } };
    return (await this.calls(tenant).post<Changes>('security', `${ROOT}/${what}`, options)).changes;
  }

  /** In the name of the user whose request is served, so that the kernel's records say who it was for. */
  private calls(tenant: string): ServiceCalls {
    return this.client.for({ tenant, user: requestContext()?.caller?.user ?? this.service });
  }
}

interface SecretFound {
  secretMap: Record<string, string>;
  metadata: { version: number };
}
interface Names {
  names: string[];
}
interface Changes {
  changes: number;
}
interface Authorized {
  isAuthorized: boolean;
}
