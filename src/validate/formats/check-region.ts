// A region that looks like one but stands in no list: new regions open every year, so it is a warning. That it looks like
// one is a pattern of the schema.

import { region } from '../../model/fields/patterns.ts';
import type { FormatProblem } from '../findings/format-problem.ts';
import { didYouMean } from '../findings/suggest.ts';
import { awsRegions } from './aws-regions.ts';
import { quote } from './quote.ts';

/** Warnings; empty also for a text that the schema's pattern refuses. */
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
