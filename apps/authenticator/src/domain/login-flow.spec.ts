import { destination, flowOf, policySource, withFlow } from './login-flow';

it('keeps the known values, each once and not endless', () => {
  const given = {
    client_id: 'c',
    state: ['a', 'b'],
    evil: 'x',
    scope: '',
    nonce: 'n'.repeat(3000),
  };
  expect(flowOf(given)).toEqual({ client_id: 'c' });
  expect(flowOf(undefined)).toEqual({});
  expect(withFlow('login', { state: 'a&b=c d' })).toBe('login?state=a%26b%3Dc+d');
});

it.each([
  [{}, 'webapp'],
  [{ to: 'https://evil.example' }, 'webapp'],
  [{ to: '//evil.example' }, 'webapp'],
  [{ to: 'device' }, 'device'],
  [{ user_code: 'ABCD' }, 'device?user_code=ABCD'],
  [{ client_id: 'c', response_type: 'code' }, 'authorize?client_id=c&response_type=code'],
  [{ to: 'webapp', client_id: 'c' }, 'webapp'],
])('leads nowhere but to a page of ours: %j', (flow, page) => {
  expect(destination(flow, true)).toBe(page);
});

it('ends on a page of its own where there is no web application', () => {
  expect(destination({}, false)).toBe('done');
});

it.each([
  ['https://app.example/callback?a=1', 'https://app.example'],
  ['http://127.0.0.1:8080/cb', 'http://127.0.0.1:8080'],
  ['com.example.App:/callback', 'com.example.app:'],
  ['nonsense', undefined],
])('names %s for a policy', (uri, source) => {
  expect(policySource(uri)).toBe(source);
});
