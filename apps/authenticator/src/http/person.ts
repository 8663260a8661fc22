import { Injectable } from '@nestjs/common';
import type { AuthenticatedRequest } from '@libs/auth';
import { Forbidden, Unauthenticated } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import type { Request } from 'express';
import { SignIn } from '../actions/sign-in';
import type { Owner } from '../actions/clients.actions';
import { basicCredentials } from '../domain/basic-credentials';
import { RequestSource } from './request-source';

/** The person behind a request: by a token, or by user name and password in HTTP Basic. */
@Injectable()
export class Person {
  constructor(
    private readonly signIn: SignIn,
    private readonly source: RequestSource,
  ) {}

  async of(request: Request): Promise<Owner> {
    const { caller } = request as AuthenticatedRequest;
    if (caller?.accountType === 'user') return { tenant: caller.tenant, user: caller.user };
    if (caller)
      throw new Forbidden(
        'AUTHENTICATOR_PEOPLE_ONLY',
        'Clients belong to people, not to services.',
      );
    const basic = basicCredentials(request.headers.authorization);
    if (!basic)
      throw new Unauthenticated(
        platform().code('TOKEN_MISSING'),
        `The request has no good ${platform().header('Token')} header, nor a user name and password.`,
      );
    const { tenant, address } = await this.source.origin(request);
    const who = { tenant, username: basic.name, address };
    const profile = await this.signIn.byPassword(who, basic.password, 'login');
    if (profile) return { tenant, user: profile.username };
    throw new Unauthenticated(
      'AUTHENTICATOR_BAD_CREDENTIALS',
      'Invalid username/password combination.',
      { headers: { 'WWW-Authenticate': `Basic realm="${tenant}"` } },
    );
  }
}
