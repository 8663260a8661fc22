import { isSignedWith } from './s3-signature';

/** The first example of AWS's description of signature version 4 for S3. */
const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const request = {
  method: 'GET',
  url: '/test.txt',
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
};

it('knows the signature of the published example, and no other', () => {
  expect(isSignedWith(secret, request)).toBe(true);
  expect(isSignedWith(`${secret}x`, request)).toBe(false);
  expect(isSignedWith(secret, { ...request, url: '/other.txt' })).toBe(false);
  const headers = { ...request.headers, range: 'bytes=0-8' };
  expect(isSignedWith(secret, { ...request, headers })).toBe(false);
});
