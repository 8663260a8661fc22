import { identityProviderProblems, identityProviders } from './identity-providers';

const oidc = { issuer: 'https://login.example', client_id: 'c', client_secret: 's' };
const urls = {
  client_id: 'c',
  identity_redirect_url: 'https://x/a',
  oauth2_token_url: 'https://x/t',
};
const idp = (idp_id: unknown, more: object = { oidc }) => ({ idp_id, ...more });

it('finds the one provider, or all of several', () => {
  expect(identityProviders({})).toEqual([]);
  expect(identityProviders({ ldap: { default_page_limit: 5 } })).toEqual([]);
  expect(identityProviders({ oidc })).toMatchObject([{ idpId: null, kind: 'oidc', append: false }]);
  const idps = [idp('a', { oidc, append_idp_to_username: true }), idp('b', { github: {} })];
  expect(identityProviders({ multi_idps: { idps } })).toMatchObject([
    { idpId: 'a', name: 'a', kind: 'oidc', append: true },
    { idpId: 'b', kind: 'github', append: false },
  ]);
});

it.each([
  [{}, []],
  [{ oidc }, []],
  [{ oidc: urls }, ['oidc']],
  [{ oidc: { ...urls, user_info_url: 'https://x/u' } }, []],
  [{ oidc: { ...urls, jwks_url: 'https://x/k' } }, []],
  [{ github: { client_id: 'c', client_secret: 's' } }, []],
  [{ ldap: { user_search_filter: '(uid=x)', default_page_limit: 10 } }, []],
  [{ multi_idps: { idps: [idp('a'), idp('b')] } }, []],
  [{ oidc: 'x' }, ['oidc']],
  [{ oidc: { client_id: 'c' } }, ['oidc.identity_redirect_url', 'oidc.oauth2_token_url', 'oidc']],
  [{ oidc: { ...oidc, issuer: 'javascript:x' } }, ['oidc.issuer']],
  [{ github: {} }, ['github.client_id', 'github.client_secret']],
  [{ ldap: { default_page_limit: 0, more: 1 } }, ['ldap.default_page_limit', 'ldap.more']],
  [{ multi_idps: {} }, ['multi_idps.idps']],
  [{ multi_idps: { idps: [null] } }, ['multi_idps.idps[0]']],
  [{ multi_idps: { idps: [idp('a b')] } }, ['multi_idps.idps[0].idp_id']],
  [{ multi_idps: { idps: [idp('a'), idp('a')] } }, ['multi_idps.idps']],
  [{ multi_idps: { idps: [idp('a', {})] } }, ['multi_idps.idps[0]']],
])('says what is wrong with %j', (config, wrong) => {
  const places = identityProviderProblems(config).map((text) => text.split(': ')[0]);
  expect(places).toEqual(wrong.map((place) => `custom_idp_configuration.${place}`));
});
