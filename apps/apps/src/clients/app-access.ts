import { Injectable } from '@nestjs/common';
import { ResourceAccess, SecurityClient } from '@libs/security-client';

/** Who may do what with an app. */
@Injectable()
export class AppAccess extends ResourceAccess {
  constructor(security: SecurityClient) {
    super(security, {
      schema: 'app',
      shareType: 'apps',
      codes: { missing: 'APPLIB_NOT_FOUND', refused: 'APPLIB_UNAUTH' },
    });
  }
}
