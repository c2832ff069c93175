import { describe, expect, it } from 'vitest';
import { checkBucketName } from '../../../src/declare/rules/s3-destination.ts';

describe('checkBucketName', () => {
  it.each([
    'abc',
    'my.bucket-1',
    '123',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.a',
    'a--b',
    'a.-b',
    'sthree',
    'x-xn--a',
    'a-s3aliases',
    'b'.repeat(63),
  ])('the bucket name %s is accepted', (value) => expect(checkBucketName(value)).toEqual([]));

  it.each([
    ['-abc', 'begin and end'],
    ['abc-', 'begin and end'],
    ['.abc', 'begin and end'],
    ['abc.', 'begin and end'],
    ['a..b', 'two periods'],
    ['192.168.5.4', 'IP address'],
    ['999.999.999.999', 'IP address'],
    ['xn--abc', '`xn--`'],
    ['sthree-abc', '`sthree-`'],
    ['sthree-configurator', '`sthree-`'],
    ['amzn-s3-demo-abc', '`amzn-s3-demo-`'],
    ['abc-s3alias', '`-s3alias`'],
    ['abc--ol-s3', '`--ol-s3`'],
    ['abc.mrap', '`.mrap`'],
    ['abc--usw2-az1--x-s3', '`--x-s3`'],
    ['abc--table-s3', '`--table-s3`'],
  ])('the bucket name %s causes a warning: %s', (value, words) =>
    expect(checkBucketName(value)).toMatchObject([
      { code: 'bucket-name-aws', message: expect.stringContaining(words) },
    ]),
  );

  it('a bucket name gets all its warnings at once', () => expect(checkBucketName('xn--a..b-')).toHaveLength(3));

  it.each(['', 'ab', 'ABC', 'a_b', '..', 'a'.repeat(64)])('the bucket name %j is left to the schema', (value) =>
    expect(checkBucketName(value)).toEqual([]),
  );
});
