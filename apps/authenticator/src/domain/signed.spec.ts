import { Signer } from './signed';

const signer = new Signer('secret');
const other = new Signer('another');

it('reads what it signed, for the same purpose alone', () => {
  const signed = signer.sign('a', { user: 'ann' });
  expect(signer.read('a', signed)).toEqual({ user: 'ann' });
  expect(signer.read('b', signed)).toBeUndefined();
  expect(other.read('a', signed)).toBeUndefined();
  for (const bad of [
    undefined,
    '',
    '.',
    'x',
    'x.y',
    `x${signed}`,
    signed.slice(0, -1),
    `${signed}x`,
  ])
    expect(signer.read('a', bad)).toBeUndefined();
});

it('opens what it sealed, which nobody else can read', () => {
  const sealed = signer.seal('a', 'a token');
  expect(Buffer.from(sealed, 'base64url').toString()).not.toContain('token');
  expect(signer.seal('a', 'a token')).not.toBe(sealed);
  expect(signer.open('a', sealed)).toBe('a token');
  expect(signer.open('b', sealed)).toBeUndefined();
  expect(other.open('a', sealed)).toBeUndefined();
  for (const bad of [undefined, '', 'AAAA', `A${sealed}`, sealed.slice(0, -4)])
    expect(signer.open('a', bad)).toBeUndefined();
});
