// What AWS requires of a bucket name beyond the service's own rule, which is a pattern in the schema: such a bucket cannot
// exist, but the service accepts the name. Source: Amazon S3 User Guide, "General purpose bucket naming rules".

import { bucketName } from '../../model/fields/patterns.ts';
import type { FormatProblem } from '../findings/format-problem.ts';
import { quote } from './quote.ts';

const reservedPrefixes = ['xn--', 'sthree-', 'amzn-s3-demo-'];
const reservedSuffixes = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3'];

/** Warnings; also empty for a name that the pattern of the schema rejects. */
export function checkBucketName(value: string): readonly FormatProblem[] {
  if (!new RegExp(bucketName).test(value)) return [];
  const prefix = reservedPrefixes.find((reserved) => value.startsWith(reserved));
  const suffix = reservedSuffixes.find((reserved) => value.endsWith(reserved));
  return [
    ...(/^[a-z0-9].*[a-z0-9]$/.test(value) ? [] : [warning(value, 'does not begin and end with a letter or digit')]),
    ...(value.includes('..') ? [warning(value, 'has two periods in a row')] : []),
    ...(/^[0-9]+(?:\.[0-9]+){3}$/.test(value) ? [warning(value, 'looks like an IP address')] : []),
    ...(prefix === undefined ? [] : [warning(value, `begins with ${quote(prefix)}, which AWS reserves`)]),
    ...(suffix === undefined ? [] : [warning(value, `ends with ${quote(suffix)}, which AWS reserves`)]),
  ];
}

function warning(value: string, fault: string): FormatProblem {
  return {
    code: 'bucket-name-aws',
    message: `${quote(value)} ${fault}. AWS does not allow such a bucket, so deliveries will fail.`,
    hint: 'Look up the name of the bucket in the S3 console.',
  };
}
