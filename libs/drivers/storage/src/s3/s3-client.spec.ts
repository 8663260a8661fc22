import { endpointOf, regionOf } from './s3-client';

it.each([
  ['s3.amazonaws.com', 'us-east-1'],
  ['s3.eu-west-1.amazonaws.com', 'eu-west-1'],
  ['s3-ap-southeast-2.amazonaws.com', 'ap-southeast-2'],
  ['bucket.s3.us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
  ['s3.dualstack.ca-central-1.amazonaws.com', 'ca-central-1'],
  ['https://s3.cn-north-1.amazonaws.com.cn', 'cn-north-1'],
  ['minio.example.org', 'us-east-1'],
])('finds the region in %s', (host, region) => expect(regionOf(host)).toBe(region));

it.each([
  ['s3.eu-west-1.amazonaws.com', -1, undefined],
  ['minio.example.org', -1, 'https://minio.example.org'],
  ['minio.example.org', 9000, 'https://minio.example.org:9000'],
  ['http://127.0.0.1', 9000, 'http://127.0.0.1:9000'],
  ['https://objects.example.org', -1, 'https://objects.example.org'],
  ['amazonaws.com.example.org', -1, 'https://amazonaws.com.example.org'],
])('asks at the right place: %s %i', (host, port, endpoint) =>
  expect(endpointOf({ host, port })).toBe(endpoint),
);
