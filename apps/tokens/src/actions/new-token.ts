import { Injectable } from '@nestjs/common';
import { Tenants, type Caller } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import { assertExtraClaims, type TokenSubject } from '../domain/claims';
import { Requesters } from './requester';
import { LONGEST_ACCESS, LONGEST_REFRESH, TokenActions, type Lifetimes } from './token-actions';

/** What is asked for in `POST /v3/tokens` (platform contract, 4.2). */
export interface TokenOrder {
  account_type: 'user' | 'service';
  token_tenant_id: string;
  token_username: string;
  target_site_id?: string;
  delegation_token: boolean;
  delegation_sub_tenant_id?: string;
  delegation_sub_username?: string;
  access_token_ttl?: number;
  generate_refresh_token: boolean;
  refresh_token_ttl?: number;
  claims?: Record<string, unknown>;
}

const ACCESS_SECONDS = 300;
const REFRESH_SECONDS = 600;

/** One order for a token, from who asks to the token. */
@Injectable()
export class NewTokens {
  constructor(
    private readonly tenants: Tenants,
    private readonly requesters: Requesters,
    private readonly tokens: TokenActions,
  ) {}

  async make(order: TokenOrder, authorization: string | undefined, caller: Caller | undefined) {
    const requester = await this.requesters.identify(authorization, caller, order.token_username);
    const subject = this.subject(order);
    await this.requesters.assertMayMake(requester, subject);
    assertExtraClaims(order.claims ?? {}, requester.name === 'authenticator');
    return this.tokens.create(subject, lifetimes(order));
  }

  private subject(order: TokenOrder): TokenSubject {
    const { account_type: accountType, token_tenant_id: tenant, token_username: user } = order;
    const subject: TokenSubject = { tenant, user, accountType, extra: order.claims };
    if (accountType === 'service') subject.targetSite = this.targetSite(order);
    if (order.delegation_token) subject.delegator = this.delegator(order);
    return subject;
  }

  /** Services of the primary work with every site, those of an associate with their own and the primary (2.7). */
  private targetSite({ token_tenant_id: tenant, target_site_id }: TokenOrder): string {
    const { here, primary } = this.tenants;
    const wanted = target_site_id ?? this.tenants.siteOf(tenant)?.site_id ?? '';
    const site = this.tenants.site(wanted);
    if (site && (here?.primary || site === here || site === primary)) return wanted;
    throw new BadInput(
      'TOKENS_TARGET_SITE',
      `The token can't be good at site "${wanted}": ${site ? `site ${here?.site_id} does not call it` : 'there is none'}.`,
    );
  }

  private delegator(order: TokenOrder): { tenant: string; user: string } {
    const tenant = order.delegation_sub_tenant_id;
    const user = order.delegation_sub_username;
    if (!tenant || !user)
      throw new BadInput(
        'TOKENS_DELEGATION',
        'A delegation token needs delegation_sub_tenant_id and delegation_sub_username.',
      );
    if (!this.tenants.mayActFor(order.token_tenant_id, tenant))
      throw new BadInput(
        'TOKENS_DELEGATION',
        `Tenant ${order.token_tenant_id} may not act for tenant ${tenant}.`,
      );
    if (/[@\s]/.test(user))
      throw new BadInput('TOKENS_DELEGATION', `"${user}" can't stand before @ in a claim.`);
    return { tenant, user };
  }
}

function lifetimes(order: TokenOrder): Lifetimes {
  const seconds = (asked: number | undefined, usual: number, longest: number) =>
    Math.min(asked && asked > 0 ? asked : usual, longest);
  return {
    accessSeconds: seconds(order.access_token_ttl, ACCESS_SECONDS, LONGEST_ACCESS),
    refreshSeconds: order.generate_refresh_token
      ? seconds(order.refresh_token_ttl, REFRESH_SECONDS, LONGEST_REFRESH)
      : undefined,
  };
}
