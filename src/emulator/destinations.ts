import { Rejection } from './pipeline.ts';
import { refuse } from './requests.ts';
import type { DestinationType, ScheduleBody } from './schedule-rules.ts';

/**
 * The fields that each destination needs and allows. A field of another destination is refused whatever its value.
 */
type FieldName = keyof ScheduleBody;

const fieldsOf: Readonly<Record<DestinationType, { required: readonly FieldName[]; optional: readonly FieldName[] }>> =
  {
    webhook: { required: ['url'], optional: [] },
    email: { required: ['recipients', 'subject'], optional: ['textBody', 'fanOut'] },
    slack: { required: ['recipients', 'slackRecipientType'], optional: ['textBody'] },
    sftp: { required: ['address', 'port', 'username', 'path'], optional: ['passwordUnencrypted'] },
    s3: { required: ['bucketName', 'region', 'roleArn'], optional: ['keyPrefix', 'filename'] },
  };

const destinationFields = new Set(
  Object.values(fieldsOf).flatMap(({ required, optional }) => [...required, ...optional]),
);

/** Also true for a name that is not a destination field at all. */
export function belongsToDestination(name: string, destinationType: DestinationType): boolean {
  const { required, optional } = fieldsOf[destinationType];
  const isOf = (names: Iterable<string>) => [...names].includes(name);
  return !isOf(destinationFields) || isOf(required) || isOf(optional);
}

export function checkDestination(body: ScheduleBody): void {
  const { required, optional } = fieldsOf[body.destinationType];
  for (const name of required) {
    if (body[name] === undefined) refuse(name, 'Required');
  }
  for (const name of destinationFields) {
    if (body[name] !== undefined && !required.includes(name) && !optional.includes(name)) {
      throw new Rejection(400, `${name} cannot be used with destination type ${body.destinationType}`);
    }
  }
  if (body.destinationType === 'email') checkEmailRecipients(body.recipients);
  if (body.destinationType === 'slack') checkSlackRecipients(body);
  if (body.destinationType === 's3') checkBucket(body);
}

function checkEmailRecipients(recipients: ScheduleBody['recipients']): void {
  if (typeof recipients === 'string') refuse('recipients', 'Expected array, received string');
  if (recipients?.length === 0) refuse('recipients', 'Array must contain at least 1 element(s)');
  if (recipients?.every(isEmailAddress) !== true) refuse('recipients', 'Invalid email address');
}

function checkSlackRecipients({ recipients = [], slackRecipientType }: ScheduleBody): void {
  const texts = [recipients].flat();
  const ids = texts.map(slackIdsIn);
  if (ids.length === 0 || ids.some(({ length }) => length === 0)) {
    refuse('recipients', 'At least one Slack recipient must be provided');
  }
  if (slackRecipientType === 'channel' && ids.flat().length > 1) {
    refuse('recipients', 'Only one Slack channel can be specified');
  }
  const isPlain = (text: string) => /^[^\s,]+$/.test(text);
  if (!(slackRecipientType === 'channel' ? texts : ids.flat()).every(isPlain)) {
    refuse('recipients', 'Invalid Slack ID');
  }
}

/** Ignores spaces around ids and extra commas. */
export function slackIdsIn(text: string): string[] {
  const ids = text.split(',').map((id) => id.trim());
  return ids.filter((id) => id !== '');
}

const atom = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const dotAtom = new RegExp(String.raw`^${atom}(?:\.${atom})*$`, 'u');
const quoted = /^"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;
const label = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const literal = /^\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[\da-f:.]+)\]$/i;

/**
 * Whether a text is a mail address: local part and domain by RFC 5321, letters beyond ASCII included (RFC 6531),
 * no display name, no comment, nothing invisible.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  if (local.length > 64 || domain.length > 254) return false;
  return (dotAtom.test(local) || quoted.test(local)) && (literal.test(domain) || isDomainName(domain));
}

function isDomainName(domain: string): boolean {
  return domain.split('.').every((part) => part.length <= 63 && label.test(part));
}

/**
 * The fields of an S3 destination: bucket, region and role as AWS names them, a prefix inside the bucket, and a file
 * name template without extension.
 */
const arn = /^arn:aws(?:-[a-z]+)*:iam::\d{12}:role\/(?:[\x21-\x7e]{1,510}\/)?[\w+=,.@-]{1,64}$/;
const region = /^(?!fips-)[a-z]{2,4}(?:-[a-z]+)+-\d$/;

const variables: readonly string[] = [
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
];

function checkBucket({ bucketName = '', region: name = '', roleArn = '', keyPrefix, filename }: ScheduleBody): void {
  if (!/^[a-z\d.-]{3,63}$/.test(bucketName)) refuse('bucketName', 'Invalid S3 bucket name');
  if (!region.test(name)) refuse('region', 'Invalid AWS region');
  if (!arn.test(roleArn)) refuse('roleArn', 'Invalid IAM role ARN');
  if (keyPrefix !== undefined && leavesItsFolder(keyPrefix)) refuse('keyPrefix', 'Path traversal is not allowed');
  if (filename !== undefined) checkFileName(filename);
}

function checkFileName(template: string): void {
  if (template.trim() === '') refuse('filename', 'String must contain at least 1 character(s)');
  for (const opened of template.split('{{').slice(1)) {
    const end = opened.indexOf('}}');
    if (end < 0) refuse('filename', 'Invalid template: a {{ is not closed');
    const variable = opened.slice(0, end).trim();
    if (!variables.includes(variable)) refuse('filename', `Unknown template variable: ${variable}`);
  }
  if (/\.(?:csv|json|pdf|png|xlsx|\{\{\s*format\s*\}\})$/i.test(template)) {
    refuse('filename', 'The file name must not have an extension');
  }
}

// Whether any reader of a path could take one of its segments for "the folder above". Storage gateways, proxies and
// file systems each decode a little differently, so all the disguises they see through are taken off first.

// A path that is still encoded after this many rounds is an attack; decoding further would only take time.
const maxRounds = 1_000;

export function leavesItsFolder(path: string): boolean {
  let plain = path.normalize('NFKC');
  for (let round = 0; round < maxRounds; round++) {
    const decoded = decode(plain);
    if (decoded === plain) return plain.split(/[/\\]/).some(isParent);
    plain = decoded;
  }
  return true;
}

function isParent(segment: string): boolean {
  // Some readers treat the text after a semicolon or a control character as a parameter, others stop there.
  const [name = ''] = segment.trim().split(/[;\p{Cc}]/u);
  return name.trim() === '..';
}

function decode(text: string): string {
  return text
    .replace(/%u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/(?:%[\da-f]{2})+/gi, (run) => decodeBytes(Buffer.from(run.replaceAll('%', ''), 'hex')))
    .normalize('NFKC');
}

/** Lenient UTF-8, as careless readers decode it: accepts characters with more bytes than they need. */
function decodeBytes(bytes: Buffer): string {
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const first = bytes[index] ?? 0;
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    const following = [...bytes.subarray(index + 1, index + length)];
    const isWhole = following.length === length - 1 && following.every((byte) => (byte & 0xc0) === 0x80);
    const code = following.reduce(
      (sum, byte) => (sum << 6) | (byte & 0x3f),
      length === 1 ? first : first & (0x7f >> length),
    );
    const isCharacter = isWhole && code <= 0x10ffff && (length > 1 || first < 0x80);
    text += isCharacter ? String.fromCodePoint(code) : '\ufffd';
    index += isWhole ? length : 1;
  }
  return text;
}
