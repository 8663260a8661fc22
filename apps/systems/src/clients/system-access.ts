import { Injectable } from '@nestjs/common';
import { ResourceAccess, SecurityClient } from '@libs/security-client';

/** Who may do what with a system. */
@Injectable()
export class SystemAccess extends ResourceAccess {
  constructor(private readonly kernel: SecurityClient) {
    super(kernel, {
      schema: 'system',
      shareType: 'system',
      codes: { missing: 'SYSLIB_NOT_FOUND', refused: 'SYSLIB_UNAUTH' },
    });
  }

  /** The owner's right to all files of the system, which goes with the system. */
  async grantFiles(tenant: string, owner: string, id: string): Promise<void> {
    await this.kernel.grant({ tenant, user: owner }, `files:${tenant}:*:${id}`);
  }

  async revokeFiles(tenant: string, owner: string, id: string): Promise<void> {
    await this.kernel.revoke({ tenant, user: owner }, `files:${tenant}:*:${id}`);
  }
}
