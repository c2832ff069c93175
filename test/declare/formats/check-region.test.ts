import { describe, expect, it } from 'vitest';
import { awsRegions, checkRegion } from '../../../src/declare/rules/s3-destination.ts';
import { region } from '../../../src/model/fields/patterns.ts';

describe('checkRegion', () => {
  it.each(awsRegions)('the region %s is accepted here and by the schema', (value) => {
    expect(checkRegion(value)).toEqual([]);
    expect(value).toMatch(new RegExp(region, 'u'));
  });

  it('every region is listed once', () => expect(new Set(awsRegions).size).toBe(awsRegions.length));

  it.each([
    ['us-east-3', 'Did you mean `us-east-1`?'],
    ['eu-westt-1', 'Did you mean `eu-west-1`?'],
    ['eu-centarl-1', 'Did you mean `eu-central-1`?'],
    ['ue-west-1', 'Did you mean `eu-west-1`?'],
  ])('the region %s causes a warning', (value, hint) =>
    expect(checkRegion(value)).toMatchObject([{ code: 'unknown-region', hint }]),
  );

  it('a region check says where to look if no region is similar', () => {
    expect(checkRegion('zz-nowhere-9')).toMatchObject([{ hint: expect.stringContaining('S3 console') }]);
  });

  it.each(['', 'us-east', 'fips-us-east-1', 'us-east-1-fips', 'US-EAST-1', 'a'.repeat(100_000)])(
    'the region %j is left to the schema',
    (value) => expect(checkRegion(value)).toEqual([]),
  );
});
