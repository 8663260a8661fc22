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
    await this.requesters.assertMayMake(requester, order.token_tenant_id, order.token_username);
    assertExtraClaims(order.claims ?? {}, requester.name === 'authenticator');
    return this.tokens.create(this.subject(order), lifetimes(order));
  }

  private subject(order: TokenOrder): TokenSubject {
    const {
      account_type: accountType,
      token_tenant_id: tenant,
      token_username: user,
      claims: extra,
    } = order;
    const site = order.target_site_id ?? this.tenants.siteOf(tenant)?.site_id;
    if (accountType === 'service' && !(site && this.tenants.site(site))) {
      throw new BadInput(
        'TOKENS_TARGET_SITE',
        `There is no site "${site ?? ''}" for the token to be good at.`,
      );
    }
    const delegator = {
      tenant: order.delegation_sub_tenant_id ?? '',
      user: order.delegation_sub_username ?? '',
    };
    if (order.delegation_token && !(delegator.tenant && delegator.user)) {
      throw new BadInput(
        'TOKENS_DELEGATION',
        'A delegation token needs delegation_sub_tenant_id and delegation_sub_username.',
      );
    }
    return {
      tenant,
      user,
      accountType,
      extra,
      ...(accountType === 'service' ? { targetSite: site } : {}),
      ...(order.delegation_token ? { delegator } : {}),
    };
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
