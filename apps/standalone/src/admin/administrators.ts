import { platform } from '@libs/platform-name';
import { Problem } from '../problem';
import { PublicApi } from '../sample/public-api';

interface MadeToken {
  access_token: { access_token: string };
}

/** A site administrator at the primary: with a token, or with a name and a password. */
export async function siteAdministrator(
  url: string,
  who: { token?: string; user: string; password: string },
): Promise<PublicApi> {
  const api = PublicApi.at(url);
  if (who.token) return api.as({ [platform().header('Token')]: who.token });
  try {
    await api.login(who.user, who.password);
  } catch (error) {
    throw new Problem(
      `${who.user} can't log in at ${url}: ${(error as Error).message}\nGive ADMIN_TOKEN, or --user and ADMIN_PASSWORD, of a site administrator.`,
    );
  }
  return api;
}

/** Where the services of a site are themselves. */
export interface SiteAddress {
  id: string;
  adminTenant: string;
  adminUrl: string;
}

/** A service of a site as itself, with its password, at its own site. */
export async function serviceOf(
  site: SiteAddress,
  name: string,
  password: string,
): Promise<PublicApi> {
  const api = PublicApi.at(site.adminUrl);
  const basic = Buffer.from(`${name}:${password}`).toString('base64');
  const { access_token } = await api
    .as({ authorization: `Basic ${basic}` })
    .post<MadeToken>('/v3/tokens', {
      account_type: 'service',
      token_tenant_id: site.adminTenant,
      token_username: name,
      target_site_id: site.id,
    });
  return api.as({
    [platform().header('Token')]: access_token.access_token,
    [platform().header('Tenant')]: site.adminTenant,
    [platform().header('User')]: name,
  });
}
