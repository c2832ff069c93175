// Which hosts the signed requests of a state in S3 go to. A pull request may change all that the address is made of.

import { describe, expect, test } from 'vitest';
import type { S3Place } from '../../src/model/workspace/state-place.ts';
import { requestPath, s3Address } from '../../src/state/s3/s3-client.ts';
import { placeOf } from '../support/state/place-of.ts';

const place = placeOf({ backend: 's3', bucket: 'acme-state', prefix: 'almanac/production', region: 'eu-central-1' });
const addressOf = (changed: Partial<S3Place> = {}, environment = {}) =>
  s3Address({ ...place, ...changed }, environment);
const urlOf = (changed: Partial<S3Place> = {}) => {
  const address = addressOf(changed);
  return `${address.origin}${requestPath(address, 'p/1')}`;
};

describe('the address of a bucket', () => {
  test.each<readonly [Partial<S3Place>, string]>([
    [{}, 'https://acme-state.s3.eu-central-1.amazonaws.com/p/1'],
    [{ bucket: 'acme.state' }, 'https://s3.eu-central-1.amazonaws.com/acme.state/p/1'],
    [{ region: 'cn-north-1' }, 'https://acme-state.s3.cn-north-1.amazonaws.com.cn/p/1'],
    [{ endpoint: 'https://fra1.example.com' }, 'https://fra1.example.com/acme-state/p/1'],
    [{ endpoint: 'https://minio.example.com:9000/' }, 'https://minio.example.com:9000/acme-state/p/1'],
    [{ endpoint: 'https://a.example.com/storage/s3/' }, 'https://a.example.com/storage/s3/acme-state/p/1'],
    [{ endpoint: 'http://127.0.0.1:9000' }, 'http://127.0.0.1:9000/acme-state/p/1'],
  ])('%j has the address %s', (changed, url) => {
    expect(urlOf(changed)).toBe(url);
  });

  test('a key is written as it is signed', () => {
    const path = requestPath(addressOf(), "o'brien (é+1)/*!");
    expect(path).toBe('/o%27brien%20%28%C3%A9%2B1%29/%2A%21');
    expect(new URL(path, 'https://a').pathname).toBe(path);
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

test.each(['evil.example.com/', 'eu-central-1@evil', 'a b'])(
  'the region %j of the environment is refused',
  (region) => {
    const { region: _, ...without } = place;
    expect(() => s3Address(without, { AWS_REGION: region })).toThrow(
      expect.objectContaining({
        message: `${JSON.stringify(region)} is not the name of a region.`,
        hint: 'Correct `state.region`, or AWS_REGION.',
      }),
    );
  },
);

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
    expect(addressOf({ endpoint }).isAws).toBe(isAws);
  });
});
