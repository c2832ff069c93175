// What AWS and the service require of an S3 destination beyond the patterns.

import { bucketName, region } from '../../model/fields/patterns.ts';
import type { FindingWords } from '../../model/workspace/diagnostic.ts';
import { type Rule, textOf } from '../findings/rule.ts';
import { didYouMean } from '../findings/suggest.ts';
import { decodeFully } from '../formats/decode-fully.ts';
import { quote } from '../formats/quote.ts';

const checks: readonly (readonly [field: string, check: (value: string) => readonly FindingWords[]])[] = [
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

const reservedPrefixes = ['xn--', 'sthree-', 'amzn-s3-demo-'];
const reservedSuffixes = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3'];

/**
 * What AWS requires of a bucket name beyond the service's own rule, which is a pattern in the schema: such a bucket cannot
 * exist, but the service accepts the name. Source: Amazon S3 User Guide, "General purpose bucket naming rules". Warnings;
 * also empty for a name that the pattern rejects.
 */
export function checkBucketName(value: string): readonly FindingWords[] {
  if (!new RegExp(bucketName).test(value)) return [];
  const prefix = reservedPrefixes.find((reserved) => value.startsWith(reserved));
  const suffix = reservedSuffixes.find((reserved) => value.endsWith(reserved));
  return [
    ...(/^[a-z0-9].*[a-z0-9]$/.test(value)
      ? []
      : [bucketWarning(value, 'does not begin and end with a letter or digit')]),
    ...(value.includes('..') ? [bucketWarning(value, 'has two periods in a row')] : []),
    ...(/^[0-9]+(?:\.[0-9]+){3}$/.test(value) ? [bucketWarning(value, 'looks like an IP address')] : []),
    ...(prefix === undefined ? [] : [bucketWarning(value, `begins with ${quote(prefix)}, which AWS reserves`)]),
    ...(suffix === undefined ? [] : [bucketWarning(value, `ends with ${quote(suffix)}, which AWS reserves`)]),
  ];
}

function bucketWarning(value: string, fault: string): FindingWords {
  return {
    code: 'bucket-name-aws',
    message: `${quote(value)} ${fault}. AWS does not allow such a bucket, so deliveries will fail.`,
    hint: 'Look up the name of the bucket in the S3 console.',
  };
}

/**
 * A name that looks like a region but is not in the list. New regions open every year, so this is a warning. Empty for a
 * text that the pattern of the schema rejects.
 */
export function checkRegion(value: string): readonly FindingWords[] {
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

// A segment ends at a slash of either kind; whatever follows a `;` (path parameters) or a control character (a text's
// end in C) is cut off; white space around it doesn't count.
const parentSegment = /(?:^|[/\\])[\s\p{White_Space}]*\.\.[\s\p{White_Space}]*(?:$|[/\\;\p{Cc}])/u;

/**
 * The folder of an object in S3. The service rejects path traversal but does not define it, so this check takes the widest
 * view: no program on the way may read a segment as `..`, in any encoding. Names that merely contain dots (`a..b`,
 * `..backup`) are allowed.
 */
export function checkKeyPrefix(value: string): readonly FindingWords[] {
  const decoded = decodeFully(value);
  const found = parentSegment.exec(decoded);
  if (found === null) return [];
  const around = decoded.slice(Math.max(0, found.index - 20), found.index + 30);
  const where = parentSegment.test(value)
    ? `${quote(value)} contains`
    : `${quote(value)} can be decoded to ${quote(around)}, which contains`;
  return [
    {
      code: 'invalid-key-prefix',
      message: `${where} the segment \`..\`. The service rejects prefixes that lead out of their folder.`,
      hint: 'Write the path of the folder from the root of the bucket, such as `reports/weekly`.',
    },
  ];
}

/** The AWS regions of all partitions, as the AWS SDKs list them (botocore 1.43, partitions.json). */
export const awsRegions: readonly string[] = [
  // aws
  'af-south-1',
  'ap-east-1',
  'ap-east-2',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'ap-south-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-6',
  'ap-southeast-7',
  'ca-central-1',
  'ca-west-1',
  'eu-central-1',
  'eu-central-2',
  'eu-north-1',
  'eu-south-1',
  'eu-south-2',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'il-central-1',
  'me-central-1',
  'me-south-1',
  'mx-central-1',
  'sa-east-1',
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
  // aws-cn
  'cn-north-1',
  'cn-northwest-1',
  // aws-eusc
  'eusc-de-east-1',
  // aws-us-gov
  'us-gov-east-1',
  'us-gov-west-1',
  // aws-iso, aws-iso-b, aws-iso-e, aws-iso-f
  'us-iso-east-1',
  'us-iso-west-1',
  'us-isob-east-1',
  'us-isob-west-1',
  'eu-isoe-west-1',
  'us-isof-east-1',
  'us-isof-south-1',
];

/**
 * The file name of an object in S3: a Mustache template with the service's ten variables, no other Mustache syntax, and
 * no file extension, because the service adds it.
 */
export const filenameVariables = [
  'currentDate',
  'currentTime',
  'currentYear',
  'currentMonth',
  'currentDay',
  'yesterdayDate',
  'timeZone',
  'entityName',
  'format',
  'scheduledTaskName',
] as const;

// Endings that are meant as an extension; `v1.2` or `acme.com` are not.
const extension =
  /\.(?:csv|tsv|txt|json|jsonl|ndjson|xml|ya?ml|html?|pdf|png|jpe?g|gif|svg|webp|xlsx?|xlsm|xlsb|ods|docx?|pptx?|zip|gz|tgz|tar|bz2|7z|zst|parquet|avro|orc|\{\{\s{0,9}format\s{0,9}\}\})$/i;

export function checkFilename(value: string): readonly FindingWords[] {
  if (value.trim() === '')
    return [invalid('The file name is empty.', 'Leave out the field to use the service’s default name.')];
  const { tags, text, unclosed } = splitTemplate(value);
  const problems = [...new Set(tags)].flatMap(checkTag);
  if (unclosed !== undefined) {
    problems.push(invalid(`${quote(unclosed)} has no closing \`}}\`.`, 'Close it, as in `{{currentDate}}`.'));
  }
  const ending = extension.exec(value.trimEnd().slice(-40))?.[0];
  if (ending !== undefined) {
    problems.push(
      invalid(
        `The file name ends in ${quote(ending)}: the service adds the extension itself, so it would appear twice.`,
        `Leave out ${quote(ending)}.`,
      ),
    );
  }
  if (text.includes('/')) {
    problems.push({
      code: 'filename-slash',
      message: `${quote(value)} contains a \`/\`, which creates a folder in the bucket.`,
      hint: 'Put folders in `keyPrefix`.',
    });
  }
  return problems;
}

interface Template {
  /** The text between `{{` and `}}`. */
  readonly tags: readonly string[];
  /** The text outside the tags. */
  readonly text: string;
  readonly unclosed?: string;
}

function splitTemplate(value: string): Template {
  const tags: string[] = [];
  let text = '';
  let from = 0;
  for (;;) {
    const open = value.indexOf('{{', from);
    if (open === -1) return { tags, text: text + value.slice(from) };
    text += value.slice(from, open);
    const close = value.indexOf('}}', open + 2);
    const next = value.indexOf('{{', open + 2);
    // `{{{` opens once: the third brace belongs to the tag, where it is refused.
    const nested = next !== -1 && next > open + 2 && next < close;
    if (close === -1 || nested) return { tags, text, unclosed: value.slice(open, nested ? next : undefined) };
    tags.push(value.slice(open + 2, close));
    from = close + 2;
  }
}

function checkTag(tag: string): FindingWords[] {
  const name = tag.trim();
  const known: readonly string[] = filenameVariables;
  if (known.includes(name)) return [];
  const whole = quote(`{{${tag}}}`);
  if (name === '') return [invalid(`${whole} is not a variable.`, variablesHint)];
  if (name.startsWith('{')) {
    const inner = name.replace(/^\{+/, '').trim();
    return [invalid('Three braces are not supported; write a variable in two.', `Write ${quote(`{{${inner}}}`)}.`)];
  }
  if (/^[#^/!>&=$<*%]/.test(name)) {
    return [
      invalid(
        `${whole} is a section, a comment or another Mustache construct; only variables are supported.`,
        variablesHint,
      ),
    ];
  }
  return [invalid(`${whole} is not a variable.`, didYouMean(name, known) ?? variablesHint)];
}

const variablesHint = `The variables are ${filenameVariables.join(', ')}.`;

function invalid(message: string, hint: string): FindingWords {
  return { code: 'invalid-filename', message, hint };
}
