import { Injectable } from '@nestjs/common';
import { type Actor, permissionSpec } from '@libs/files-access';
import { SecurityClient, type Share } from '@libs/security-client';
import { Log } from '@libs/service-kit';

interface Place {
  systemId: string;
  path: string;
}

const NEEDS = ['READ', 'MODIFY'];

/** Permissions and shares follow what they were given on. A failure here is told to the log, the file is moved. */
@Injectable()
export class PathRights {
  constructor(
    private readonly security: SecurityClient,
    private readonly log: Log,
  ) {}

  async moved({ tenant }: Actor, { systemId, path }: Place, target: string): Promise<void> {
    await this.quietly('moving permissions', async () => {
      await this.security.replacePathPrefix(tenant, {
        oldSystemId: systemId,
        newSystemId: systemId,
        oldPrefix: `/${path}`,
        newPrefix: `/${target}`,
      });
      for (const share of await this.sharesBelow(tenant, systemId, path)) {
        const tail = share.resourceId2!.slice(path.length + 1);
        await this.security.share({ ...keyOf(share), resourceId2: `/${target}${tail}` });
        await this.security.unshare(keyOf(share));
      }
    });
  }

  async removed({ tenant }: Actor, { systemId, path }: Place): Promise<void> {
    await this.quietly('removing permissions', async () => {
      const specs = NEEDS.map((need) => permissionSpec(tenant, need, systemId, path));
      await Promise.all([
        ...specs.map((spec) => (path ? this.revoke(tenant, spec) : this.revokeBelow(tenant, spec))),
        this.unshareBelow(tenant, systemId, path),
      ]);
    });
  }

  private async revoke(tenant: string, spec: string): Promise<void> {
    await this.security.revokeFromAll(tenant, spec);
    await this.security.revokePathFromAll(tenant, `${spec}/`);
  }

  /** The root itself stays, and so does what was given on it. */
  private async revokeBelow(tenant: string, root: string): Promise<void> {
    const holders = await this.security.usersWithPermission(tenant, root);
    await this.security.revokePathFromAll(tenant, root);
    for (const user of holders) await this.security.grant({ tenant, user }, root);
  }

  private async unshareBelow(tenant: string, systemId: string, path: string): Promise<void> {
    for (const share of await this.sharesBelow(tenant, systemId, path)) {
      await this.security.unshare(keyOf(share));
    }
  }

  private async sharesBelow(tenant: string, systemId: string, path: string) {
    const shares = await this.security.shares({
      tenant,
      resourceType: 'file',
      resourceId1: systemId,
      resourceId2: '%',
    });
    const own = `/${path}`;
    const below = path ? `${own}/` : '/';
    return shares.filter(
      ({ resourceId2 }) =>
        (path !== '' && resourceId2 === own) ||
        (resourceId2 !== '/' && resourceId2?.startsWith(below)),
    );
  }

  private async quietly(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      this.log.error({ err }, `${what} failed`);
    }
  }
}

function keyOf({
  tenant,
  grantor,
  grantee,
  resourceType,
  resourceId1,
  resourceId2,
  privilege,
}: Share) {
  return { tenant, grantor, grantee, resourceType, resourceId1, resourceId2, privilege };
}
