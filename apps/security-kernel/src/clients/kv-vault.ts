import { platform } from '@libs/platform-name';
import type { EntityManager } from 'typeorm';
import {
  MAX_VERSIONS,
  SecretVault,
  type FoundSecret,
  type Mark,
  type SecretInfo,
  type VersionInfo,
} from '../store/secret-vault';
import type { VaultServer } from './vault-server';

interface KvVersion {
  created_time: string;
  /** Empty unless deleted. */
  deletion_time: string;
  destroyed: boolean;
}

/**
 * Secrets in the key-value engine, version 2, of a Vault or OpenBao server; the server seals and versions them. Public
 * description: https://openbao.org/api-docs/secret/kv/kv-v2.
 */
export class KvVault extends SecretVault {
  constructor(
    private readonly server: VaultServer,
    private readonly mount: string,
  ) {
    super();
  }

  async write(
    _tx: EntityManager,
    tenant: string,
    path: string,
    data: Record<string, string>,
  ): Promise<VersionInfo> {
    const { body } = await this.server.ask('POST', this.url('data', tenant, path), { data });
    const { version, ...made } = body.data as KvVersion & { version: number };
    return infoOf(version, made);
  }

  async read(tenant: string, path: string, version = 0): Promise<FoundSecret | undefined> {
    const url = `${this.url('data', tenant, path)}?version=${version}`;
    const { status, body } = await this.server.ask('GET', url);
    const found = body?.data as
      | { data: Record<string, string> | null; metadata: KvVersion & { version: number } }
      | undefined;
    if (status === 404 || !found?.data) return undefined;
    const { version: read, ...metadata } = found.metadata;
    return { data: found.data, info: infoOf(read, metadata) };
  }

  async info(tenant: string, path: string): Promise<SecretInfo | undefined> {
    const { status, body } = await this.server.ask('GET', this.url('metadata', tenant, path));
    if (status === 404) return undefined;
    const { versions, current_version, max_versions, created_time, updated_time } = body.data as {
      versions: Record<string, KvVersion>;
      current_version: number;
      max_versions: number;
      created_time: string;
      updated_time: string;
    };
    const list = Object.entries(versions).map(([n, version]) => infoOf(Number(n), version));
    list.sort((a, b) => a.version - b.version);
    return {
      created_time: new Date(created_time),
      updated_time: new Date(updated_time),
      current_version,
      oldest_version: list[0]?.version ?? 0,
      max_versions: max_versions || MAX_VERSIONS,
      versions: list,
    };
  }

  async list(tenant: string, folder: string): Promise<string[]> {
    const { status, body } = await this.server.ask(
      'GET',
      `${this.url('metadata', tenant, folder)}?list=true`,
    );
    if (status === 404) return [];
    return [...(body.data.keys as string[])].sort((a, b) => (a < b ? -1 : 1));
  }

  async mark(
    _tx: EntityManager,
    tenant: string,
    path: string,
    what: Mark,
    versions: number[],
  ): Promise<number[]> {
    const info = await this.info(tenant, path);
    if (!info) return [];
    const latest = versions.includes(0) ? info.current_version : undefined;
    const chosen = info.versions
      .filter(({ destroyed }) => !destroyed)
      .map(({ version }) => version)
      .filter((v) => !versions.length || versions.includes(v) || v === latest);
    if (chosen.length)
      await this.server.ask('POST', this.url(what, tenant, path), { versions: chosen });
    return chosen;
  }

  async erase(_tx: EntityManager, tenant: string, path: string): Promise<boolean> {
    const below = await this.list(tenant, `${path}/`);
    const own = await this.info(tenant, path);
    for (const name of below) await this.erase(_tx, tenant, `${path}/${name.replace(/\/$/, '')}`);
    if (own) await this.server.ask('DELETE', this.url('metadata', tenant, path));
    return own !== undefined || below.length > 0;
  }

  async check(): Promise<void> {
    const { status } = await this.server.ask('GET', 'auth/token/lookup-self');
    if (status !== 200) throw new Error(`the vault answered ${status} to its own token`);
  }

  private url(what: string, tenant: string, path: string): string {
    const parts = [platform().lower, 'tenant', tenant, ...path.split('/')];
    return `${this.mount}/${what}/${parts.map(encodeURIComponent).join('/')}`;
  }
}

function infoOf(
  version: number,
  { created_time, deletion_time, destroyed }: KvVersion,
): VersionInfo {
  return {
    version,
    created_time: new Date(created_time),
    deletion_time: deletion_time ? new Date(deletion_time) : null,
    destroyed,
  };
}
