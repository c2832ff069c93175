// Which hosts the signed requests of a state in S3 go to. A pull request may change all that the address is made of.

import { describe, expect, test } from 'vitest';
import { requestPath, s3Address } from '../../src/adapters/state/s3/s3-address.ts';
import type { S3Place } from '../../src/model/workspace/state-place.ts';

const place: S3Place = {
  backend: 's3',
  lease: 120,
  bucket: 'acme-state',
  prefix: 'almanac/production',
  region: 'eu-central-1',
  pathStyle: false,
};
const addressOf = (changed: Partial<S3Place> = {}, environment = {}) =>
  s3Address({ ...place, ...changed }, environment);
const urlOf = (changed: Partial<S3Place> = {}) => {
  const address = addressOf(changed);
  return `${address.origin}${requestPath(address, 'p/1', {})}`;
};

describe('the address of a bucket', () => {
  test.each<readonly [Partial<S3Place>, string]>([
    [{}, 'https://acme-state.s3.eu-central-1.amazonaws.com/p/1'],
    [{ pathStyle: true }, 'https://s3.eu-central-1.amazonaws.com/acme-state/p/1'],
    [{ bucket: 'acme.state' }, 'https://s3.eu-central-1.amazonaws.com/acme.state/p/1'],
    [{ region: 'cn-north-1' }, 'https://acme-state.s3.cn-north-1.amazonaws.com.cn/p/1'],
    [{ endpoint: 'https://fra1.example.com' }, 'https://acme-state.fra1.example.com/p/1'],
    [{ endpoint: 'https://minio.example.com:9000/', pathStyle: true }, 'https://minio.example.com:9000/acme-state/p/1'],
    [
      { endpoint: 'https://a.example.com/storage/s3/', pathStyle: true },
      'https://a.example.com/storage/s3/acme-state/p/1',
    ],
    [{ endpoint: 'http://127.0.0.1:9000' }, 'http://127.0.0.1:9000/acme-state/p/1'],
  ])('%j has the address %s', (changed, url) => {
    expect(urlOf(changed)).toBe(url);
  });

  test('a query and a key are written as they are signed', () => {
    const path = requestPath(addressOf(), "o'brien (é+1)/*!", { prefix: 'a b/~', 'list-type': '2' });
    expect(path).toBe('/o%27brien%20%28%C3%A9%2B1%29/%2A%21?list-type=2&prefix=a%20b%2F~');
    expect(new URL(path, 'https://a').pathname + new URL(path, 'https://a').search).toBe(path);
  });

  test('the region comes from the configuration, else from the environment', () => {
    const { region: _, ...without } = place;
    expect(addressOf({}, { AWS_REGION: 'us-west-2' }).region).toBe('eu-central-1');
    expect(s3Address(without, { AWS_REGION: 'us-west-2', AWS_DEFAULT_REGION: 'x' }).region).toBe('us-west-2');
    expect(s3Address(without, { AWS_REGION: '', AWS_DEFAULT_REGION: 'us-east-2' }).region).toBe('us-east-2');
    expect(s3Address({ ...without, endpoint: 'https://a.example.com' }, {}).region).toBe('us-east-1');
    expect(() => s3Address(without, {})).toThrow('The region of the bucket is unknown.');
  });
});

describe('an address that is refused', () => {
  test.each<readonly [Partial<S3Place>, string]>([
    [{ endpoint: 'http://minio.example.com' }, 'is not HTTPS'],
    [{ endpoint: 'http://127.0.0.1.example.com' }, 'is not HTTPS'],
    [{ endpoint: 'https://user:password@example.com' }, 'holds a user name, a password'],
    [{ endpoint: 'https://example.com/?a' }, 'a query or a fragment'],
    [{ endpoint: 'ftp://example.com' }, 'is not a URL'],
    [{ endpoint: 'example.com' }, 'is not a URL'],
    [{ region: 'evil.example.com/' }, 'is not the name of a region'],
    [{ region: 'eu-central-1@evil' }, 'is not the name of a region'],
    [{ bucket: 'evil.example.com/x' }, 'The name of the bucket'],
    [{ bucket: '..' }, 'The name of the bucket'],
    [{ bucket: 'a..b' }, 'The name of the bucket'],
    [{ bucket: 'a@b' }, 'The name of the bucket'],
    [{ bucket: '..', endpoint: 'https://example.com', pathStyle: true }, 'The name of the bucket'],
    [{ prefix: '' }, 'The prefix of the state'],
    [{ prefix: '/a' }, 'The prefix of the state'],
    [{ prefix: 'a//b' }, 'The prefix of the state'],
    [{ prefix: 'a/../b' }, 'The prefix of the state'],
    [{ prefix: 'a\nb' }, 'The prefix of the state'],
    [{ prefix: 'ä'.repeat(500) }, 'The prefix of the state'],
  ])('%j is refused', (changed, words) => {
    expect(() => addressOf(changed)).toThrow(words);
    expect(() => addressOf(changed)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  test('a password in an endpoint is not shown', () => {
    expect(() => addressOf({ endpoint: 'https://user:hunter2@example.com' })).toThrow(/^(?!.*hunter2)/);
  });
});

describe('the hosts of AWS', () => {
  test.each([
    ['https://s3.amazonaws.com', true],
    ['https://s3.dualstack.eu-west-1.amazonaws.com', true],
    ['https://s3-fips.us-gov-west-1.amazonaws.com', true],
    ['https://bucket.vpce-0a1b-2c.s3.us-east-1.vpce.amazonaws.com', true],
    ['https://s3.amazonaws.com:8443', false],
    ['https://s3.eu-west-1.amazonaws.com.example.com', false],
    ['https://evil-1.eu-west-1.elb.amazonaws.com', false],
    ['https://abc.execute-api.eu-west-1.amazonaws.com', false],
    ['https://s3.evil.eu-west-1.elb.amazonaws.com', false],
    ['https://minio.example.com', false],
    ['http://127.0.0.1:9000', false],
  ])('%s is one of them: %s', (endpoint, isAws) => {
    expect(addressOf({ endpoint, pathStyle: true }).isAws).toBe(isAws);
  });
});
