import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Forbidden, NotFound } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { Authority } from '../domain/authority';
import { withGenerated } from '../domain/generate-secret';
import { assertMayUse, secretPath, type SecretRequest } from '../domain/secret-place';
import { SecretVault, type Mark, type SecretInfo, type VersionInfo } from '../store/secret-vault';
import { Changes } from './changes';

/** Key under which the password of a service lies in its secret. */
export const PASSWORD_KEY = 'password';

interface PasswordQuestion {
  tenant: string;
  user: string;
  name: string;
  password: string;
}

/** Secrets: every call names the owner, and the rules look at who asks. */
@Injectable()
export class VaultActions {
  constructor(
    private readonly vault: SecretVault,
    private readonly authority: Authority,
    private readonly changes: Changes,
  ) {}

  async write(
    caller: Caller,
    request: SecretRequest,
    data: Record<string, string>,
  ): Promise<VersionInfo> {
    const { tenant } = request;
    const object = this.path(caller, request);
    const made = await withGenerated(request.type, data);
    return this.changes.make(caller, async (tx, record) => {
      const info = await this.vault.write(tx, tenant, object, made);
      record({ tenant, action: 'secret.write', object, details: { version: info.version } });
      return info;
    });
  }

  async read(
    caller: Caller,
    request: SecretRequest,
    version: number,
  ): Promise<{ secretMap: Record<string, string>; metadata: VersionInfo }> {
    const found = await this.vault.read(request.tenant, this.path(caller, request), version);
    if (!found) throw missing(request);
    return { secretMap: found.data, metadata: found.info };
  }

  async info(caller: Caller, request: SecretRequest): Promise<SecretInfo> {
    const found = await this.vault.info(request.tenant, this.path(caller, request));
    if (!found) throw missing(request);
    return found;
  }

  /** Names in the folder in which a secret of this description would lie. */
  async list(
    caller: Caller,
    request: Omit<SecretRequest, 'name'>,
  ): Promise<{ secretPath: string; keys: string[] }> {
    const path = this.path(caller, { ...request, name: 'x' });
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    return {
      secretPath: `secret/${platform().lower}/tenant/${request.tenant}/${folder}`,
      keys: await this.vault.list(request.tenant, folder),
    };
  }

  async mark(
    caller: Caller,
    request: SecretRequest,
    what: Mark,
    versions: number[],
  ): Promise<number[]> {
    const { tenant } = request;
    const object = this.path(caller, request);
    return this.changes.make(caller, async (tx, record) => {
      const marked = await this.vault.mark(tx, tenant, object, what, versions);
      const details = { versions: marked };
      if (marked.length) record({ tenant, action: `secret.${what}`, object, details });
      return marked;
    });
  }

  async erase(caller: Caller, request: SecretRequest): Promise<void> {
    const { tenant } = request;
    const object = this.path(caller, request);
    await this.changes.make(caller, async (tx, record) => {
      if (await this.vault.erase(tx, tenant, object))
        record({ tenant, action: 'secret.erase', object });
    });
  }

  /** Passes, or refuses with 403, whether the service is unknown or the password wrong. */
  async validateServicePassword(caller: Caller, asked: PasswordQuestion): Promise<void> {
    this.assertMayCheck(caller, asked);
    if (!(await this.isPassword('service', asked)))
      throw new Forbidden(
        'SK_SERVICE_PASSWORD',
        `The password of service ${asked.user} is not right.`,
      );
  }

  /** As for services, for people who administer the site; the password is a secret of their own (5.8). */
  async validateSiteAdminPassword(caller: Caller, asked: PasswordQuestion): Promise<void> {
    this.assertMayCheck(caller, asked);
    const isRight = await this.isPassword('user', asked);
    if (!isRight || !(await this.authority.isSiteAdmin(asked.user, asked.tenant)))
      throw new Forbidden(
        'SK_SITE_ADMIN_PASSWORD',
        `${asked.user} is no site administrator, or the password is not right.`,
      );
  }

  /** The tokens service, or who the password belongs to. */
  private assertMayCheck(caller: Caller, { tenant, user }: PasswordQuestion): void {
    this.authority.assertService(caller, tenant);
    if (!['tokens', user].includes(caller.jwtUser)) {
      throw new Forbidden(
        'SK_NOT_AUTHORIZED',
        `Service ${caller.jwtUser} may not check the password of ${user}.`,
      );
    }
  }

  private async isPassword(
    type: 'service' | 'user',
    { tenant, user, name, password }: PasswordQuestion,
  ): Promise<boolean> {
    const found = await this.vault.read(tenant, secretPath({ type, name, tenant, user }));
    return found !== undefined && same(found.data[PASSWORD_KEY] ?? '', password);
  }

  private path(caller: Caller, request: SecretRequest): string {
    this.authority.assertMayAsk(caller, request.tenant);
    assertMayUse(caller, request);
    return secretPath(request);
  }
}

function same(known: string, given: string): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(given)];
  return a.length > 0 && a.length === b.length && timingSafeEqual(a, b);
}

function missing(request: SecretRequest): NotFound {
  return new NotFound(
    'SK_SECRET_NOT_FOUND',
    `There is no ${request.type} secret "${request.name}" of ${request.user}@${request.tenant}.`,
    request.name,
  );
}
