import { Injectable } from '@nestjs/common';
import { BadInput, NotFound } from '@libs/envelope';
import { TokenMaker, type TokenPair } from '../clients/token-maker';
import type { Profile } from '../domain/user-source';
import { TenantConfigs } from './tenant-configs';
import { UserSources } from './user-sources';

const LONGEST_SECONDS = 3_600;
const USUAL_PAGE = 100;

interface Page {
  default_page_limit?: number;
}

/** What clients may know of a person: profiles, and the identity tokens of OpenID Connect. */
@Injectable()
export class Identities {
  constructor(
    private readonly sources: UserSources,
    private readonly configs: TenantConfigs,
    private readonly tokens: TokenMaker,
  ) {}

  async token(
    tenant: string,
    clientId: string,
    { username, nonce, pair }: { username: string; nonce?: string; pair: TokenPair },
  ): Promise<string> {
    // who somebody is, is sure without the address book
    const profile = await this.profile(tenant, username).catch(() => undefined);
    const claims = { ...standardClaims(profile ?? { username }), ...(nonce ? { nonce } : {}) };
    const ttl = Math.min(pair.access_token.expires_in, LONGEST_SECONDS);
    return this.tokens.identity(tenant, username, { audience: clientId, ttl, claims });
  }

  async profile(tenant: string, username: string): Promise<Profile> {
    const profile = await (await this.sources.of(tenant)).profile(username);
    if (profile) return profile;
    throw new NotFound(
      'AUTHENTICATOR_PROFILE_NOT_FOUND',
      `User "${username}" of tenant ${tenant}`,
      username,
    );
  }

  async profiles(tenant: string, limit: number | undefined, offset: number): Promise<Profile[]> {
    const { custom_idp_configuration: custom } = await this.configs.of(tenant);
    const { default_page_limit: usual = USUAL_PAGE } = (custom['ldap'] ?? {}) as Page;
    const found = await (await this.sources.of(tenant)).profiles(limit ?? usual, offset);
    if (found) return found;
    throw new BadInput(
      'AUTHENTICATOR_PROFILES',
      `The people of tenant ${tenant} come from a provider that lists nobody.`,
    );
  }
}

/** As OpenID Connect Core (5.1) names them; what is not known is left out. */
export function standardClaims(profile: Partial<Profile> & { username: string }): object {
  const { username, given_name, last_name, email, phone, mobile_phone } = profile;
  const name = [given_name, last_name].filter(Boolean).join(' ');
  const claims = {
    preferred_username: username,
    name: name || null,
    given_name,
    family_name: last_name,
    email,
    phone_number: phone ?? mobile_phone,
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value));
}
