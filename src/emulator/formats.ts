// Texts of a request with a grammar, read as the service documents them.

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

export function isThisMachine(host: string | undefined): boolean {
  return host !== undefined && /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}

/**
 * True if a text is an absolute http or https URL as written. Node's parser repairs a good deal (missing slashes, white
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

/** The port and the user have fields of their own. Nothing else is documented, so nothing else is refused. */
export function holdsLogin(address: string): boolean {
  const [authority = ''] = address.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').split('/');
  if (authority.includes('@')) return true;
  const colons = authority.split(':').length - 1;
  const isIPv6 = /^\[[^\]]*\]$/.test(authority) || (colons > 1 && !/[[\]]/.test(authority));
  return colons > 0 && !isIPv6;
}

export const anSftpAddress = aText((text) => (text === '' ? noText : holdsLogin(text) && 'Invalid SFTP address'));

export const aCron = aText((text) => !readCron(text) && 'Schedule is an invalid cron expression');

const icuOnly = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' '),
);

// ICU's name for an unknown zone, and a zone that the database dropped in 2020.
const gone = new Set(['ETC/UNKNOWN', 'US/PACIFIC-NEW']);

/** Names found before, in upper case, as names are compared: the runtime takes long for each question. */
const found = new Set<string>();

/**
 * True if a text names a zone of the IANA database. The runtime also accepts names that only ICU has and, in newer
 * versions, offsets; neither is in the database.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z][\w+/-]*$/i.test(name)) return false;
  const upper = name.toUpperCase();
  if (icuOnly.has(upper) || upper.startsWith('SYSTEMV/') || gone.has(upper)) return false;
  if (found.has(upper)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    found.add(upper);
    return true;
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
 * True if a text is a mail address: local part and domain by RFC 5321, letters beyond ASCII included (RFC 6531), no
 * display name, no comment, nothing invisible.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  if (local.length > 64 || domain.length > 254) return false;
  return (dotAtom.test(local) || quoted.test(local)) && (literal.test(domain) || isDomainName(domain));
}

export const anEmailAddress = aText((text) => !isEmailAddress(text) && 'Invalid email address');

function isDomainName(domain: string): boolean {
  return domain.split('.').every((part) => part.length <= 63 && label.test(part));
}

// The fields of an S3 destination whose content the service describes.
export const aBucket = aText((text) => !/^[a-z\d.-]{3,63}$/.test(text) && 'Invalid S3 bucket name');
export const anArn = aText((text) => !isArn(text) && 'Invalid ARN');
export const aKeyPrefix = aText((text) => leavesItsFolder(text) && 'Path traversal is not allowed');
/** `arn`, partition, service, region, account and resource; only region and account may be empty. */
function isArn(text: string): boolean {
  const [prefix, partition, service, , , ...resource] = text.split(':');
  return prefix === 'arn' && partition !== '' && service !== '' && resource.join(':') !== '';
}

export const aFileName = aText(faultInFileName);

const fileNameVariables =
  'currentDate currentTime currentYear currentMonth currentDay yesterdayDate timeZone entityName format scheduledTaskName';

function faultInFileName(template: string): string | undefined {
  if (template.trim() === '') return noText;
  for (const opened of template.split('{{').slice(1)) {
    const end = opened.indexOf('}}');
    if (end < 0) return 'Invalid template: a {{ is not closed';
    const variable = opened.slice(0, end).trim();
    if (!fileNameVariables.split(' ').includes(variable)) return `Unknown template variable: ${variable}`;
  }
  const hasExtension = /\.(?:csv|json|pdf|png|xlsx|\{\{\s*format\s*\}\})$/i.test(template);
  return hasExtension ? 'The file name must not have an extension' : undefined;
}

// Detects path segments that could be taken for "the folder above". Storage gateways, proxies and file systems each
// decode a little differently, so the disguises that they see through are removed first.

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
  return (
    text
      .replace(/%u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      // Dots and slashes with more bytes than they need, which careless readers decode.
      .replace(/%(?:c0|e0%80|f0%80%80)%(ae|af)/gi, (_, byte: string) => (byte.toLowerCase() === 'ae' ? '.' : '/'))
      .replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
      .normalize('NFKC')
  );
}
