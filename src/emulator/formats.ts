// Texts of a request that have a grammar of their own, as the service is documented to read them.

import { isIP } from 'node:net';
import { aText, noText } from './checks.ts';
import { readCron } from './cron.ts';

/**
 * A URL parsed without throwing. URL.canParse is no help: on Node 20 it refuses letters such as ü once it is compiled.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Whether a host, as a URL has it, is this machine. */
export function isThisMachine(host: string | undefined): boolean {
  return host !== undefined && /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}

/**
 * Whether a text is an absolute http or https URL as written. Node's parser repairs a good deal (missing slashes, white
 * space, unusual IPv4 numbers); a text that needs repair is refused.
 */
export function isHttpUrl(text: string): boolean {
  const url = parsedUrl(text);
  if (/[\s\p{Cc}\\]/u.test(text) || url === undefined) return false;
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return false;
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  if (/^\[[\da-f:.]+\]$/i.test(host)) return true;
  if (/^[\d.]+$/.test(url.hostname)) return url.hostname === host;
  return /^[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*\.?$/u.test(host);
}

export const anHttpUrl = aText((text) => !isHttpUrl(text) && 'Invalid url');

/** Whether a text is a host name (RFC 1123, with underscores) or an IP address, and nothing else. */
export function isHost(text: string): boolean {
  // IPv6 with a zone, or with IPv4 at its end, means something else on each machine.
  if (isIP(text) !== 0) return isIP(text) === 4 || /^[^%.]*$/.test(text);
  const labels = text.split('.');
  const isLabel = (label: string) => /^\w[\w-]*$/.test(label) && !label.endsWith('-');
  return text.length <= 253 && labels.every(isLabel) && !/^(?:\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? '');
}

export const aHost = aText((text) => (text === '' ? noText : !isHost(text) && 'Invalid host'));

export const aCron = aText((text) => !readCron(text) && 'Schedule is an invalid cron expression');

const icuOnly = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' '),
);

// ICU's name for an unknown zone, and a zone that the database dropped in 2020.
const gone = new Set(['ETC/UNKNOWN', 'US/PACIFIC-NEW']);

/**
 * Whether a text names a zone of the IANA database. The runtime also accepts names that only ICU has and, in newer
 * versions, offsets; neither is in the database.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z][\w+/-]*$/i.test(name)) return false;
  const upper = name.toUpperCase();
  if (icuOnly.has(upper) || upper.startsWith('SYSTEMV/') || gone.has(upper)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export const aTimeZone = aText((text) => !isTimeZone(text) && 'Time zone must be IANA valid.');

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

// The fields of an S3 destination: bucket, region and role as AWS names them, a prefix inside the bucket, and a file name
// template without extension.

const arn = /^arn:aws(?:-[a-z]+)*:iam::\d{12}:role\/(?:[\x21-\x7e]{1,510}\/)?[\w+=,.@-]{1,64}$/;
const region = /^(?!fips-)[a-z]{2,4}(?:-[a-z]+)+-\d$/;

export const aBucket = aText((text) => !/^[a-z\d.-]{3,63}$/.test(text) && 'Invalid S3 bucket name');
export const aRegion = aText((text) => !region.test(text) && 'Invalid AWS region');
export const aRoleArn = aText((text) => !arn.test(text) && 'Invalid IAM role ARN');
export const aKeyPrefix = aText((text) => leavesItsFolder(text) && 'Path traversal is not allowed');
export const aFileName = aText(faultInFileName);

const variables =
  'currentDate currentTime currentYear currentMonth currentDay yesterdayDate timeZone entityName format scheduledTaskName';

function faultInFileName(template: string): string | undefined {
  if (template.trim() === '') return noText;
  for (const opened of template.split('{{').slice(1)) {
    const end = opened.indexOf('}}');
    if (end < 0) return 'Invalid template: a {{ is not closed';
    const variable = opened.slice(0, end).trim();
    if (!variables.split(' ').includes(variable)) return `Unknown template variable: ${variable}`;
  }
  const hasExtension = /\.(?:csv|json|pdf|png|xlsx|\{\{\s*format\s*\}\})$/i.test(template);
  return hasExtension ? 'The file name must not have an extension' : undefined;
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
