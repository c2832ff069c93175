// The rules of AWS and the service for an S3 destination beyond the patterns.

import { arn, bucketName, roleArn } from '../../model/fields/patterns.ts';
import { awsRegions } from '../../model/fields/suggestions.ts';
import { quote } from '../../model/values/words.ts';
import type { FindingWords } from '../../model/workspace/diagnostic.ts';
import { fieldText, type Rule, textFindings } from '../findings/rule.ts';
import { didYouMean } from '../findings/suggest.ts';

const checks: readonly (readonly [field: string, check: (value: string) => readonly FindingWords[]])[] = [
  ['bucketName', checkBucketName],
  ['region', checkRegion],
  ['roleArn', checkRoleArn],
  ['keyPrefix', checkKeyPrefix],
  ['filename', checkFilename],
];

export const s3Destination: Rule = ({ value }) => {
  if (fieldText(value, 'destinationType') !== 's3') return [];
  return checks.flatMap(([field, check]) => textFindings(value, field, check));
};

const reservedPrefixes = ['xn--', 'sthree-', 'amzn-s3-demo-'];
const reservedSuffixes = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3'];

/**
 * The rules of AWS for a bucket name beyond the service's own one, which is a pattern in the schema: such a bucket
 * cannot exist, but the service accepts the name. Source: Amazon S3 User Guide, "General purpose bucket naming rules".
 * Warnings; also empty for a name that the pattern rejects.
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

/** New regions open every year, and no page of the service says which it takes. */
export function checkRegion(value: string): readonly FindingWords[] {
  if (value === '' || Object.hasOwn(awsRegions, value)) return [];
  const hint = didYouMean(value, Object.keys(awsRegions)) ?? 'Look up the region of the bucket in the S3 console.';
  return [
    {
      code: 'unknown-region',
      message: `${quote(value)} is not an AWS region that Almanac knows. Unless the region is new, deliveries will fail.`,
      hint,
    },
  ];
}

/**
 * AWS has no other roles, but the service only asks for the ARN of a role. Source: IAM API Reference, CreateRole. Also
 * empty for a text that is not an ARN, which the pattern rejects.
 */
export function checkRoleArn(value: string): readonly FindingWords[] {
  if (!new RegExp(arn).test(value) || new RegExp(roleArn).test(value)) return [];
  return [
    {
      code: 'role-arn-aws',
      message: `${quote(value)} is not the ARN of an IAM role as AWS writes it, so deliveries will probably fail.`,
      hint: 'Copy the ARN of the role from the IAM console, such as `arn:aws:iam::123456789012:role/omni-reports`.',
    },
  ];
}

// A segment ends at a slash of either kind; whatever follows a `;` (path parameters) or a control character (a text's
// end in C) is cut off; white space around it doesn't count.
const parentSegment = /(?:^|[/\\])[\s\p{White_Space}]*\.\.[\s\p{White_Space}]*(?:$|[/\\;\p{Cc}])/u;

/**
 * The folder of an object in S3. The service rejects path traversal but does not define it, so no program on the way may read
 * a segment as `..`. Names that merely contain dots (`a..b`, `..backup`) are allowed, and so is percent-encoding that has one
 * reading.
 */
export function checkKeyPrefix(value: string): readonly FindingWords[] {
  const read = pathWithParent(value);
  if (read === undefined) return [];
  const message =
    read === ambiguous
      ? `${quote(value)} holds an encoding that programs read in different ways, \`..\` among them.`
      : `${quote(value)} ${read === value ? 'contains' : `can be decoded to ${quote(read)}, which contains`} the segment \`..\`.`;
  return [
    {
      code: 'invalid-key-prefix',
      message: `${message} The service rejects prefixes that lead out of their folder.`,
      hint: 'Write the path of the folder from the root of the bucket, such as `reports/weekly`.',
    },
  ];
}

const ambiguous = Symbol('ambiguous');
/** The layers of percent-encoding; more are never intended. */
const maxLayers = 4;

/** The path as some program reads it, if one of its segments is then `..`. */
function pathWithParent(value: string): string | typeof ambiguous | undefined {
  let path = value;
  for (let layer = 0; layer <= maxLayers; layer += 1) {
    const folded = path.normalize('NFKC');
    if (parentSegment.test(folded)) return layer === 0 && parentSegment.test(value) ? value : folded;
    const decoded = decodedOnce(folded);
    if (decoded === folded) return undefined;
    if (decoded === undefined) return ambiguous;
    path = decoded;
  }
  return ambiguous;
}

/** Undefined if decoders differ: `%uXXXX`, and bytes that are not UTF-8. */
function decodedOnce(path: string): string | undefined {
  if (/%u[0-9a-f]{4}/i.test(path)) return undefined;
  try {
    return path.replace(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent);
  } catch {
    return undefined;
  }
}

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

/**
 * The file name of an object in S3: a Mustache template with the service's ten variables, no other Mustache syntax, and
 * no file extension, because the service adds it.
 */
export function checkFilename(value: string): readonly FindingWords[] {
  if (value.trim() === '')
    return [invalid('The file name is empty.', 'Leave out the field to use the service’s default name.')];
  const text = value.replace(variable, '');
  const problems = [...new Set(value.match(variable))].flatMap(checkVariable);
  const open = text.indexOf('{{');
  if (open !== -1)
    problems.push(invalid(`${quote(text.slice(open))} has no closing \`}}\`.`, 'Close it, as in `{{currentDate}}`.'));
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

/** A third brace is refused together with its content. */
const variable = /\{\{\{?[^{}]*\}\}/g;

function checkVariable(whole: string): FindingWords[] {
  const name = whole.replace(/^\{{2,3}|\}\}$/g, '').trim();
  const known: readonly string[] = filenameVariables;
  if (whole.startsWith('{{{'))
    return [invalid('Three braces are not supported; write a variable in two.', `Write ${quote(`{{${name}}}`)}.`)];
  if (known.includes(name)) return [];
  const message = /^[#^/!>&=$<*%]/.test(name)
    ? `${quote(whole)} is a section, a comment or another Mustache construct; only variables are supported.`
    : `${quote(whole)} is not a variable.`;
  return [invalid(message, didYouMean(name, known) ?? variablesHint)];
}

const variablesHint = `The variables are ${filenameVariables.join(', ')}.`;

function invalid(message: string, hint: string): FindingWords {
  return { code: 'invalid-filename', message, hint };
}
