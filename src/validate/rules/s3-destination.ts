// What AWS and the service require of an S3 destination beyond the patterns.

import type { FormatProblem } from '../findings/format-problem.ts';
import { type Rule, textOf } from '../findings/rule.ts';
import { checkBucketName } from '../formats/check-bucket-name.ts';
import { checkFilename } from '../formats/check-filename.ts';
import { checkKeyPrefix } from '../formats/check-key-prefix.ts';
import { checkRegion } from '../formats/check-region.ts';

const checks: readonly (readonly [field: string, check: (value: string) => readonly FormatProblem[]])[] = [
  ['bucketName', checkBucketName],
  ['region', checkRegion],
  ['keyPrefix', checkKeyPrefix],
  ['filename', checkFilename],
];

export const s3Destination: Rule = ({ kind, value }) => {
  if (kind !== 'schedule' || textOf(value, 'destinationType') !== 's3') return [];
  return checks.flatMap(([field, check]) => {
    const text = textOf(value, field);
    return text === undefined ? [] : check(text).map((problem) => ({ ...problem, pointer: `/${field}` }));
  });
};
