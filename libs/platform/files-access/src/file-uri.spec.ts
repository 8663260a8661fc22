import { fileUri, parseFileUri } from './file-uri';

describe('URIs of files', () => {
  it.each([
    ['svc://sys/a/b', 'sys', '/a/b', false],
    ['svc://sys/a/', 'sys', '/a/', true],
    ['svc://sys', 'sys', '/', true],
    ['SVC://sys/x', 'sys', '/x', false],
    ['svc://s.y-s_~1/a%20b%2Fc?d#e', 's.y-s_~1', '/a b/c?d#e', false],
  ])('%s', (uri, systemId, path, folder) => {
    expect(parseFileUri(uri)).toEqual({ kind: 'system', systemId, path, folder });
  });

  it.each([
    '',
    'svc:/a',
    'svc:///a',
    'ftp://h/x',
    'svc://-s/x',
    'svc://s y/x',
    'svc://s/%zz',
    'svc://s/%c3%28',
    '/etc/passwd',
    'svclocal://exec.svc/a',
  ])('refuses %j', (uri) => expect(typeof parseFileUri(uri)).toBe('string'));

  it('lead back to the same path', () => {
    for (const path of [
      '',
      'a',
      'a b/ü',
      '100%',
      '%41',
      'x?y#z',
      "it's",
      '[a]',
      'a\\b',
      '日本',
      '+',
      '&=;@:',
    ]) {
      expect(parseFileUri(fileUri('s', path))).toMatchObject({ path: `/${path}` });
    }
  });

  it('may be of a web server', () => {
    expect(parseFileUri('https://h/a%20b?c')).toEqual({ kind: 'http', url: 'https://h/a%20b?c' });
    expect(typeof parseFileUri('http://')).toBe('string');
  });
});
