// The patterns of string fields, as regex sources. The JSON Schemas contain them, so they mean the same with and without
// the flag `u` and use no look-behind. Each is anchored and runs in linear time, even on hostile input.

import { addressPattern, itemKeyPattern, keyPattern, kindOfSection, kinds, sections } from '../values/address.ts';

// E-mail: one @, a domain with a dot, and no separators of addresses; validate has the full rule (RFC 5321).
export const emailShape = '^[^\\s@<>,;]+@[^\\s@<>,;.]+(?:\\.[^\\s@<>,;.]+)+$';

// Identifier of a dashboard: a pasted URL is a common mistake.
export const identifierShape = '^[^/:]*$';

// A dashboard whose rows belong to nobody, or a tile of one, or a column of a tile: ours.
export const sharedShape = '^[^/:]+(?:/[^/:]+(?::.+)?)?$';

// URL: http or https and a host, with or without user and port; validate has the full rule (RFC 3986).
export const urlShape =
  '^[Hh][Tt][Tt][Pp][Ss]?://(?:[^\\s@/?#\\\\]+@)?(?:[^\\s\\x00-,/:-@\\[-\\^`{-\\x7F]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?(?:[/?#][^\\s\\\\]*)?$';

// S3 bucket: the service's rule; validate warns about further rules of AWS.
export const bucketName = '^[a-z0-9.-]{3,63}$';

// ARN: a partition, a service and a resource; region and account may be empty (AWS General Reference, "Amazon Resource Names").
export const arn = '^arn:[^:]+:[^:]+:[^:]*:[^:]*:[\\s\\S]+$';

// IAM role ARN: any partition, a path of up to 512 printable characters with its slashes, a name of 1 to 64 (IAM API, CreateRole).
// In no schema: the service asks for the ARN of a role and says no more, so a rule warns.
export const roleArn = '^arn:aws(?:-[a-z]+)*:iam::[0-9]{12}:role/(?:[\\x21-\\x7E]{1,510}/)?[A-Za-z0-9+=,.@_-]{1,64}$';

// Owner: an e-mail address, or the id of a membership.
export const owner = '^(?:[^\\s@<>,;]+@[^\\s@<>,;.]+(?:\\.[^\\s@<>,;.]+)+|[A-Za-z0-9_-]{1,128})$';

// The owner that meta names: ours. An asterisk has a meaning in a selector, and a comma had one.
export const metaOwner = '^[^\\s,*](?:[^,*\\r\\n]*[^\\s,*])?$';

// A tag: ours, for the same reason.
export const metaTag = '^[^\\s,*]+$';

// Id of a model, a branch, a conversation, a member or a user group: a UUID as the service documents it, or a short text, as live
// organizations answer it.
export const id = '^[A-Za-z0-9_-]{1,128}$';

// UUID: RFC 9562, any version and variant, either case.
export const uuid = '^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$';

// Domain: two labels or more between dots, in any script, and nothing around them.
export const domain = '^[^\\s@*/\\\\:,;?#.]+(?:\\.[^\\s@*/\\\\:,;?#.]+)+$';

// SFTP server: what the service refuses is a port or a user in it, before the first slash behind the scheme.
export const serverWithoutLogin =
  '^(?:[A-Za-z][A-Za-z0-9+.-]*://)?(?:[^/@:]*|[^/@:\\[\\]]*:[^/@:\\[\\]]*:[^/@\\[\\]]*|\\[[^/@\\]]*\\])(?:/[\\s\\S]*)?$';

// SFTP server as every program reads it: a host, or sftp:// with a host and a path. A host is a name (RFC 1123, and the
// underscores of private networks) or an IP address. In no schema: a rule warns of anything else.
export const sftpAddress = makeSftpAddress();

// The variable of the token: ours. A file that could name any variable could send any secret to its base URL.
export const tokenVariable =
  '^(?!ALMANAC_STATE_)(?=[A-Z0-9_]{1,128}$)(?:OMNI|ALMANAC)_(?:[A-Z0-9]+_)*(?:TOKEN|KEY)(?:_[A-Z0-9]+)*$';

// The key of a resource: ours.
export const resourceKey = `^${keyPattern}$`;

// The key of an item of a loop: ours.
export const itemKey = `^${itemKeyPattern}$`;

// The address of a resource, section and key, and of an instance of a loop the key of its item: ours.
export const address = addressPattern();

// The address of what others may have created under an id of its own: ours.
export const adoptableAddress = addressPattern(
  ...sections.filter((section) => kinds[kindOfSection[section]].life === 'recurring'),
);

// Slack channel: one id; the service answers 400 to several.
export const oneSlackChannel = '^[^\\s,]+$';

// Slack users: at least one id, separated by commas; spaces around ids and extra commas are harmless.
export const slackUsers = '^[\\s,]*[^\\s,]+(?:\\s*,[\\s,]*[^\\s,]+)*[\\s,]*$';

// Interpolation: a string that contains an unescaped `${`. From left to right, `$${` is one escape of three characters.
export const interpolation = '^[^$]*(?:(?:\\$\\$\\{|\\$(?!\\$?\\{))[^$]*)*\\$\\{[\\s\\S]*$';

// A pattern for a `${`: it begins a reference that is closed on its line. Only the program knows which names there are.
const reference = makeReference();

function makeReference(): string {
  const inside = '(?:[^}\\n$]|\\$(?!\\{))';
  const name = `(?!\\s)${inside}*(?:[^\\s}$]|\\$(?!\\{))`;
  return `\\$\\{(?:env\\.[A-Za-z_][A-Za-z0-9_]*|var\\.${inside}+|(?:each|file|audience)\\.${name})\\}`;
}

// A text of which every unescaped `${` begins a reference.
export const references = `^[^$]*(?:(?:\\$\\$\\{|\\$(?!\\$?\\{)|${reference})[^$]*)*$`;

// The same, with at least one.
export const holdingReferences = `^(?=${interpolation.slice(1)})${references.slice(1)}`;

// A text without an unescaped `${`.
export const withoutReferences = '^[^$]*(?:(?:\\$\\$\\{|\\$(?!\\$?\\{))[^$]*)*$';

// A text in which nothing is interpolated.
export const literalText = '^(?:[^$]|\\$(?!\\{))*$';

/** Matches `pattern`, or any string that still has to be interpolated, whether or not its references are written well. */
export function interpolationOr(pattern: string): string {
  return `(?:${interpolation})|(?:${pattern})`;
}

// The name of a time zone: an offset is none, but GMT+0 and GMT-0 are names. The list of names is the program's, and a text
// without a character has a rule of its own.
export const zoneShape =
  '^(?!(?:[Uu][Tt][Cc]|[Gg][Mm][Tt])[+-][0-9])[A-Za-z][A-Za-z0-9_+/-]*$|^(?:[Gg][Mm][Tt][+-]0)?$';

function makeSftpAddress(): string {
  const label = '[A-Za-z0-9_]+(?:-+[A-Za-z0-9_]+)*';
  // No top-level domain is a number (URL Standard, "ends in a number").
  const name = `(?=[^/]{1,253}(?:/|$))(?:${label}\\.)*(?!(?:[0-9]+|0[xX][0-9A-Fa-f]*)(?:/|$))${label}`;
  const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
  const group = '[0-9A-Fa-f]{1,4}';
  // `::` stands for one group or more, so there are at most seven others.
  const shortened = [0, 1, 2, 3, 4, 5, 6, 7].map((before) => {
    const first = before === 0 ? '' : `${group}(?::${group}){${before - 1}}`;
    return before === 7 ? `${first}::` : `${first}::(?:${group}(?::${group}){0,${6 - before}})?`;
  });
  const [named, ipv6] = [`${name}|${byte}(?:\\.${byte}){3}`, `(?:${group}:){7}${group}|${shortened.join('|')}`];
  const path = '(?:/[^\\x00-\\x1F\\x7F-\\x9F]*)?';
  return `^(?:${named}|${ipv6}|[Ss][Ff][Tt][Pp]://(?:${named}|\\[(?:${ipv6})\\])${path})$`;
}

// Cron: AWS EventBridge. A pattern cannot check that a range of years does not run backwards; the parser does.
export const cronShape = makeCronShape();

function makeCronShape(): string {
  const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
  const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

  const upTo59 = '[0-5]?[0-9]';
  const upTo23 = '(?:[01]?[0-9]|2[0-3])';
  const day = '(?:0?[1-9]|[12][0-9]|3[01])';
  const month = `(?:0?[1-9]|1[0-2]|${inAnyCase(months)})`;
  const weekday = `(?:0?[1-7]|${inAnyCase(weekdays)})`;
  const year = '(?:19[7-9][0-9]|2[01][0-9][0-9])';

  const fields = [
    list(upTo59, '(?:0?[1-9]|[1-5][0-9])'),
    list(upTo23, '(?:0?[1-9]|1[0-9]|2[0-3])'),
    `(?:\\?|LW?|L-(?:0?[1-9]|[12][0-9]|30)|${day}W|${list(day, day)})`,
    list(month, '(?:0?[1-9]|1[0-2])'),
    `(?:\\?|${weekday}?L|${weekday}#[1-5]|${list(weekday, '0?[1-7]')})`,
    list(year, '(?:0?[1-9]|[1-9][0-9]{1,2}|1[0-9]{3}|2[01][0-9]{2})'),
  ];

  const lengthLimit = '(?=[ -~]{1,256}$)';
  // Exactly one of day-of-month and day-of-week is `?`.
  const exactlyOneOpenDay = '(?=[^ ]+ [^ ]+ (?:\\? [^ ]+ [^? ]|[^? ]+ [^ ]+ \\? ))';
  return `^${lengthLimit}${exactlyOneOpenDay}${fields.join(' ')}$`;
}

/** A list of `*`, values and ranges, each with or without a step. */
function list(value: string, step: string): string {
  const item = `(?:\\*|${value}(?:-${value})?)(?:/${step})?`;
  return `${item}(?:,${item})*`;
}

/** Alternatives that match in upper, lower and mixed case, since a schema's pattern can't carry the flag `i`. */
function inAnyCase(names: readonly string[]): string {
  return names.map((name) => [...name].map((letter) => `[${letter}${letter.toLowerCase()}]`).join('')).join('|');
}
