import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Forbidden, NotFound } from '@libs/envelope';
import { Authority } from '../domain/authority';
import { withGenerated } from '../domain/generate-secret';
import { assertMayUse, secretPath, type SecretRequest } from '../domain/secret-place';
import { SecretsStore, type SecretInfo, type VersionInfo } from '../store/secrets.store';

/** Key under which the password of a service lies in its secret. */
export const PASSWORD_KEY = 'password';

/** Secrets: every call names the owner, and the rules look at who asks. */
@Injectable()
export class VaultActions {
  constructor(
    private readonly secrets: SecretsStore,
    private readonly authority: Authority,
  ) {}

  async write(
    caller: Caller,
    request: SecretRequest,
    data: Record<string, string>,
  ): Promise<VersionInfo> {
    const path = this.path(caller, request);
    return this.secrets.write(request.tenant, path, await withGenerated(request.type, data));
  }

  async read(
    caller: Caller,
    request: SecretRequest,
    version: number,
  ): Promise<{ secretMap: Record<string, string>; metadata: VersionInfo }> {
    const found = await this.secrets.read(request.tenant, this.path(caller, request), version);
    if (!found) throw missing(request);
    return { secretMap: found.data, metadata: found.info };
  }

  async info(caller: Caller, request: SecretRequest): Promise<SecretInfo> {
    const found = await this.secrets.info(request.tenant, this.path(caller, request));
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
    return { secretPath: folder, keys: await this.secrets.list(request.tenant, folder) };
  }

  async mark(
    caller: Caller,
    request: SecretRequest,
    what: 'delete' | 'undelete' | 'destroy',
    versions: number[],
  ): Promise<number[]> {
    return this.secrets.mark(request.tenant, this.path(caller, request), what, versions);
  }

  async erase(caller: Caller, request: SecretRequest): Promise<void> {
    await this.secrets.erase(request.tenant, this.path(caller, request));
  }

  /** Passes, or refuses with 403, whether the service is unknown or the password wrong. */
  async validateServicePassword(
    caller: Caller,
    asked: { tenant: string; user: string; name: string; password: string },
  ): Promise<void> {
    this.authority.assertService(caller, asked.tenant);
    if (!['tokens', asked.user].includes(caller.jwtUser)) {
      throw new Forbidden(
        'SK_NOT_AUTHORIZED',
        `Service ${caller.jwtUser} may not check the password of ${asked.user}.`,
      );
    }
    const path = secretPath({
      type: 'service',
      name: asked.name,
      tenant: asked.tenant,
      user: asked.user,
    });
    const found = await this.secrets.read(asked.tenant, path);
    if (!found || !same(found.data[PASSWORD_KEY] ?? '', asked.password)) {
      throw new Forbidden(
        'SK_SERVICE_PASSWORD',
        `The password of service ${asked.user} is not right.`,
      );
    }
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
