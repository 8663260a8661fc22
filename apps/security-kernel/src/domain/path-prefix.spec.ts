import { withNewPrefix } from './path-prefix';

const change = { oldSystemId: 's1', newSystemId: 's2', oldPrefix: '/a', newPrefix: '/b' };

describe('withNewPrefix', () => {
  it.each([
    ['files:dev:READ:s1:/a', 'files:dev:READ:s2:/b'],
    ['files:dev:READ:s1:/a/x:y', 'files:dev:READ:s2:/b/x:y'],
    ['files:dev:READ:s1:/ab', undefined],
    ['files:dev:READ:s9:/a', undefined],
    ['files:dev:*:s1', undefined],
  ])('%s becomes %s', (permission, expected) => {
    expect(withNewPrefix(permission, change)).toBe(expected);
  });

  it('takes any path without an old prefix and strips it without a new one', () => {
    const systems = { oldSystemId: 's1', newSystemId: 's2' };
    expect(withNewPrefix('files:dev:READ:s1:/a', systems)).toBe('files:dev:READ:s2:/a');
    expect(withNewPrefix('files:dev:READ:s1:/a/b', { ...systems, oldPrefix: '/a' })).toBe(
      'files:dev:READ:s2:/b',
    );
  });
});
