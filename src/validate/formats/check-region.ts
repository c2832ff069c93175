// A name that looks like a region but is not in the list. New regions open every year, so this is a warning. A pattern in
// the schema checks that the name looks like a region.

import { region } from '../../model/fields/patterns.ts';
import type { FormatProblem } from '../findings/format-problem.ts';
import { didYouMean } from '../findings/suggest.ts';
import { awsRegions } from './aws-regions.ts';
import { quote } from './quote.ts';

/** Warnings; also empty for a string that the pattern of the schema rejects. */
export function checkRegion(value: string): readonly FormatProblem[] {
  if (awsRegions.includes(value) || !new RegExp(region).test(value)) return [];
  const hint = didYouMean(value, awsRegions) ?? 'Look up the region of the bucket in the S3 console.';
  return [
    {
      code: 'unknown-region',
      message: `${quote(value)} is not an AWS region that Almanac knows. Unless the region is new, deliveries will fail.`,
      hint,
    },
  ];
}
