import { Injectable } from '@nestjs/common';
import {
  AuthorizationProblem,
  type Authorization,
  type AuthorizationQuery,
  type AuthorizedUser,
} from '../domain/authorization';
import type { Client } from '../domain/client';

/** What the pages of login and consent ask: is this request right, and where does the browser go. */
@Injectable()
export class Authorizations {
  /** Throws AuthorizationProblem, which is shown as a page and never sent to the redirect URI. */
  async check(_tenant: string, query: AuthorizationQuery): Promise<Authorization> {
    throw new AuthorizationProblem(
      'unauthorized_client',
      `There is no client "${query.client_id ?? ''}".`,
    );
  }

  /** Where the browser goes after consent: `callback?code=…&state=…` or `callback#access_token=…`. */
  async approve(_a: Authorization, _user: AuthorizedUser, _address: string): Promise<string> {
    throw new AuthorizationProblem('unauthorized_client', 'There are no clients yet.');
  }

  /** The person said no: that is written down; the page says so. */
  async refuse(_a: Authorization, _user: AuthorizedUser, _address: string): Promise<void> {}

  /** The request behind a user code, while it can still be answered. Letter case and dashes don't count. */
  async device(
    _tenant: string,
    _userCode: string,
  ): Promise<{ client: Client; userCode: string } | null> {
    return null;
  }

  /** Throws AuthorizationProblem when the code is no longer there. */
  async approveDevice(
    _tenant: string,
    _userCode: string,
    _user: AuthorizedUser,
    _ttlDays?: number,
  ): Promise<void> {}

  async refuseDevice(_tenant: string, _userCode: string, _user: AuthorizedUser): Promise<void> {}
}
