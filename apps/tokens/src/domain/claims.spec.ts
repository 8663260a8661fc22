import { accessClaims, assertExtraClaims } from './claims';

describe('claims', () => {
  it('say who the token is for', () => {
    expect(accessClaims({ tenant: 'dev', user: 'ann', accountType: 'user' })).toEqual({
      sub: 'ann@dev',
      'svc/tenant_id': 'dev',
      'svc/username': 'ann',
      'svc/account_type': 'user',
      'svc/token_type': 'access',
      'svc/delegation': false,
      'svc/delegation_sub': null,
    });
  });

  it('of a delegated service token name the site and who made it', () => {
    const claims = accessClaims({
      tenant: 'admin',
      user: 'jobs',
      accountType: 'service',
      targetSite: 'west',
      delegator: { tenant: 'dev', user: 'ann' },
      extra: { 'svc/username': 'root', note: 1 },
    });
    expect(claims).toMatchObject({
      'svc/username': 'jobs',
      'svc/target_site': 'west',
      'svc/delegation_sub': 'ann@dev',
      note: 1,
    });
  });

  it.each([
    'jti',
    'exp',
    'aud',
    'username',
    'svc/username',
    'svc/tenant_id',
    'svc/token_type',
    'svc/delegation_sub',
  ])('refuse %s as an extra claim from everybody', (name) =>
    expect(() => assertExtraClaims({ [name]: 'x' }, true)).toThrow(name),
  );

  it('let only the authenticator add to the namespace', () => {
    expect(() => assertExtraClaims({ 'svc/client_id': null }, true)).not.toThrow();
    expect(() => assertExtraClaims({ 'svc/client_id': null }, false)).toThrow('svc/client_id');
    expect(() => assertExtraClaims({ note: 1 }, false)).not.toThrow();
  });
});
