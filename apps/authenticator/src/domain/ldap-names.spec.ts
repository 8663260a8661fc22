import {
  escapeDnValue,
  escapeFilterValue,
  type LdapRecord,
  peopleFilter,
  personFilter,
  placeOf,
  userDn,
} from './ldap-names';

const record = (more: Partial<LdapRecord>): LdapRecord => ({
  ldap_id: 'l',
  url: 'ldap://directory',
  port: 389,
  use_ssl: false,
  user_dn: 'ou=people,dc=example',
  bind_dn: 'cn=admin,dc=example',
  bind_credential: 'ldap.secret',
  account_type: 'user',
  ...more,
});

it.each([
  [{}, 'cn=ann,ou=people,dc=example'],
  [{ bind_dn: 'uid=reader,dc=example' }, 'uid=ann,ou=people,dc=example'],
  [{ bind_dn: 'CN = admin,dc=example' }, 'cn=ann,ou=people,dc=example'],
  [{ user_dn: 'uid=${username},ou=a,dc=b' }, 'uid=ann,ou=a,dc=b'],
  [{ user_dn: 'mail = ${username} , ou=a,dc=b' }, 'mail=ann,ou=a,dc=b'],
])('names the entry of a person, %j', (more, dn) => {
  expect(userDn(record(more), 'ann')).toBe(dn);
});

it('lets no name end its part of a DN', () => {
  expect(escapeDnValue('ann,ou=admins')).toBe('ann\\,ou\\=admins');
  expect(escapeDnValue(' #"\\a+b ')).toBe('\\20\\#\\"\\\\a\\+b\\20');
  expect(escapeDnValue('a\nb')).toBe('a\\0ab');
  expect(userDn(record({}), 'x,dc=evil')).toBe('cn=x\\,dc\\=evil,ou=people,dc=example');
});

it('lets no name be more than text in a filter', () => {
  expect(escapeFilterValue('*)(uid=*')).toBe('\\2a\\29\\28uid=\\2a');
  expect(personFilter(record({}), {}, '*')).toBe('(cn=\\2a)');
  const rules = { user_search_filter: '(|(uid=${username})(mail=${username}))' };
  expect(personFilter(record({}), rules, 'a)(b')).toBe('(|(uid=a\\29\\28b)(mail=a\\29\\28b))');
});

it('puts the rules of the tenant together', () => {
  const group = { user_search_supplemental_filter: 'memberOf=cn=staff' };
  expect(personFilter(record({}), group, 'ann')).toBe('(&(cn=ann)(memberOf=cn=staff))');
  expect(personFilter(record({}), { user_search_filter: '(active=TRUE)' }, 'ann')).toBe(
    '(&(cn=ann)(active=TRUE))',
  );
  expect(peopleFilter(record({}), {})).toBe('(cn=*)');
  expect(peopleFilter(record({}), { user_search_prefix: '(objectClass=person)', ...group })).toBe(
    '(&(objectClass=person)(memberOf=cn=staff))',
  );
  expect(placeOf(record({ user_dn: 'uid=${username},ou=a' })).base).toBe('ou=a');
});
