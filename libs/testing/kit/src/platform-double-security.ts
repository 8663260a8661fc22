import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { Forbidden, NotFound } from '@libs/envelope';
import { implies, type Share, type ShareKey } from '@libs/security-client';
import type { DoubleRequest } from './platform-double-http';

type Body = Record<string, unknown>;

const id = (...parts: unknown[]): string => JSON.stringify(parts);
/** What every service of a double has as its password. */
export const DOUBLE_PASSWORD = 'double';

const PUBLIC = ['~public', '~public_no_authn'];

/** The security kernel of a PlatformDouble: permissions, roles, shares and secrets in memory, matched as in earnest. */
export class DoubleSecurity {
  readonly permissions = new Map<string, Set<string>>();
  readonly roles = new Map<string, Set<string>>();
  readonly shares: Share[] = [];
  readonly secrets = new Map<string, Record<string, string>>();
  /** All versions of each secret, the first one first. */
  private readonly versions = new Map<string, Record<string, string>[]>();
  private nextShare = 1;

  grant(tenant: string, user: string, permission: string): boolean {
    return add(this.permissions, id(tenant, user), permission);
  }

  giveRole(tenant: string, user: string, role: string): void {
    add(this.roles, id(tenant, user), role);
  }

  makeAdmin(tenant: string, user: string): void {
    this.giveRole(tenant, user, '$!tenant_admin');
  }

  /** Answers a request under /v3/security; the last part of the path says which. */
  answer({ method, path, query, body }: DoubleRequest): unknown {
    const [, , , area = '', ...rest] = path.split('/').map(decodeURIComponent);
    if (area === 'user' && method === 'POST') return this.onUser(rest[0] ?? '', body as Body);
    if (area === 'user') return this.ofUser(rest, query);
    if (area === 'role') return this.onRole(rest[0] ?? '', body as Body);
    if (area === 'share') return this.onShare(method, rest[0], query, body as Body);
    if (area === 'vault') return this.onVault(method, rest.slice(1), query, body as Body);
    throw new NotFound('SK_DOUBLE', `${method} ${path} is not in the double`);
  }

  private held(tenant: unknown, user: unknown): string[] {
    return [...(this.permissions.get(id(tenant, user)) ?? [])];
  }

  private isAdmin(tenant: unknown, user: unknown): boolean {
    return this.roles.get(id(tenant, user))?.has('$!tenant_admin') ?? false;
  }

  private onUser(what: string, body: Body): unknown {
    const { tenant, user, permSpec } = body;
    const permitted = (spec: unknown) =>
      this.held(tenant, user).some((mine) => implies(mine, String(spec)));
    const role = (name: unknown) => this.roles.get(id(tenant, user))?.has(String(name)) ?? false;
    const authorized = (holds: boolean) => ({
      isAuthorized: holds || (body['orAdmin'] === true && this.isAdmin(tenant, user)),
    });
    switch (what) {
      case 'isPermitted':
        return authorized(permitted(permSpec));
      case 'isPermittedAny':
        return authorized((body['permSpecs'] as string[]).some(permitted));
      case 'isPermittedAll':
        return authorized((body['permSpecs'] as string[]).every(permitted));
      case 'hasRole':
        return authorized(role(body['roleName']));
      case 'isAdmin':
        return { isAuthorized: this.isAdmin(tenant, user) };
      case 'grantUserPermission':
        return { changes: this.grant(String(tenant), String(user), String(permSpec)) ? 1 : 0 };
      case 'revokeUserPermission':
        return {
          changes: this.permissions.get(id(tenant, user))?.delete(String(permSpec)) ? 1 : 0,
        };
      default:
        throw new NotFound('SK_DOUBLE', `user/${what} is not in the double`);
    }
  }

  private ofUser([what, name]: string[], query: Record<string, string>): unknown {
    const { tenant } = query;
    if (what === 'perms') {
      const names = this.held(tenant, name).filter(
        (held) =>
          (!query['implies'] || implies(query['implies'], held)) &&
          (!query['impliedBy'] || implies(held, query['impliedBy'])),
      );
      return { names: names.sort() };
    }
    if (what === 'withPermission') {
      const pattern = new RegExp(`^${(name ?? '').split('%').map(escape).join('.*')}$`);
      const names = [...this.permissions]
        .map(([key, held]) => [JSON.parse(key) as [string, string], held] as const)
        .filter(([[of], held]) => of === tenant && [...held].some((p) => pattern.test(p)))
        .map(([[, user]]) => user);
      return { names: names.sort() };
    }
    if (what === 'roles') return { names: [...(this.roles.get(id(tenant, name)) ?? [])].sort() };
    throw new NotFound('SK_DOUBLE', `user/${what} is not in the double`);
  }

  private onRole(what: string, { tenant, permSpec }: Body): unknown {
    let changes = 0;
    for (const [key, held] of this.permissions) {
      if ((JSON.parse(key) as string[])[0] !== tenant) continue;
      for (const one of [...held]) {
        const hit =
          what === 'removePermFromAllRoles'
            ? one === permSpec
            : what === 'removePathPermFromAllRoles' && one.startsWith(String(permSpec));
        if (hit && held.delete(one)) changes++;
      }
    }
    return { changes };
  }

  private onShare(
    method: string,
    one: string | undefined,
    query: Record<string, string>,
    body: Body,
  ): unknown {
    if (method === 'POST') return { url: `/v3/security/share/${this.share(body as never)}` };
    const matches = (share: Share, ...names: (keyof ShareKey)[]) =>
      names.every((n) => query[n] === undefined || String(share[n]) === query[n]);
    if (one === 'hasPrivilege') {
      const grantees = [query['grantee'], ...(query['excludePublic'] === 'true' ? [] : PUBLIC)];
      const held = this.shares.some(
        (s) =>
          grantees.includes(s.grantee) &&
          (s.resourceId2 ?? undefined) === query['resourceId2'] &&
          matches(s, 'tenant', 'resourceType', 'resourceId1', 'privilege'),
      );
      return { aBool: held };
    }
    const hits = this.shares.filter(
      (s) =>
        matches(s, 'tenant', 'grantor', 'resourceType', 'privilege') &&
        idMatches(s.resourceId1, query['resourceId1']) &&
        idMatches(s.resourceId2 ?? '', query['resourceId2']) &&
        (!query['grantee'] ||
          s.grantee === query['grantee'] ||
          (method === 'GET' &&
            query['includePublicGrantees'] !== 'false' &&
            PUBLIC.includes(s.grantee))),
    );
    if (method === 'GET') return { shares: hits };
    for (const hit of hits) this.shares.splice(this.shares.indexOf(hit), 1);
    return { changes: hits.length };
  }

  private share(key: ShareKey): number {
    const known = this.shares.find(
      (s) =>
        (
          ['tenant', 'grantor', 'grantee', 'resourceType', 'resourceId1', 'privilege'] as const
        ).every((n) => s[n] === key[n]) && s.resourceId2 === (key.resourceId2 ?? null),
    );
    if (known) return known.id;
    const share = {
      ...key,
      resourceId2: key.resourceId2 ?? null,
      id: this.nextShare++,
      created: new Date().toISOString(),
      createdBy: 'double',
      createdByTenant: 'admin',
    };
    this.shares.push(share);
    return share.id;
  }

  private onVault(
    method: string,
    rest: string[],
    query: Record<string, string>,
    body: Body,
  ): unknown {
    if (rest[0] === 'validateServicePassword' || rest[0] === 'validateSiteAdminPassword') {
      if (body['password'] === DOUBLE_PASSWORD) return { isAuthorized: true };
      throw new Forbidden('SK_SERVICE_PASSWORD', 'wrong');
    }
    const named = rest[0] === 'destroy' ? rest.slice(2) : rest;
    const { tenant, user, ...keys } = { ...query, ...(body as Record<string, string>) };
    const number = Number((keys as Body)['version'] ?? 0);
    delete (keys as Body)['data'];
    delete (keys as Body)['version'];
    const key = id(tenant, user, named, Object.entries(keys).sort());
    const versions = this.versions.get(key) ?? [];
    if (method === 'POST') {
      const data = body['data'] as Record<string, string>;
      const made = named[0] === 'jwtsigning' ? keyPair() : generated(data);
      this.secrets.set(key, made);
      this.versions.set(key, [...versions, made]);
      return {
        version: versions.length + 1,
        created_time: new Date().toISOString(),
        deletion_time: null,
        destroyed: false,
      };
    }
    const found = number ? versions[number - 1] : this.secrets.get(key);
    if (!found) throw new NotFound('SK_SECRET_NOT_FOUND', `Secret ${named.join('/')}`);
    if (method === 'DELETE') this.secrets.delete(key);
    return method === 'DELETE'
      ? null
      : { secretMap: found, metadata: { version: number || versions.length } };
  }
}

function keyPair(): Record<string, string> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

function generated(data: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([k, v]) => [k, v === '<generate-secret>' ? randomUUID() : v]),
  );
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function idMatches(value: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted.endsWith('%') ? value.startsWith(wanted.slice(0, -1)) : value === wanted;
}

function add(map: Map<string, Set<string>>, key: string, value: string): boolean {
  const held = map.get(key) ?? new Set<string>();
  map.set(key, held);
  if (held.has(value)) return false;
  held.add(value);
  return true;
}
