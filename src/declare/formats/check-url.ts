// Checks absolute http and https URLs, and the form of host names. The platform's parser must read what is written: if
// it silently corrected the text, a delivery would go to an address that nobody reviewed. So a corrected form is an
// error that shows what the parser reads. Differences that cannot lead elsewhere are accepted: the case of the host,
// dots between slashes, `'`, `^` and `|`, and a host beyond ASCII, which is sent in its ASCII form. Credentials before
// the host are allowed.

import { memoize } from '../../model/values/collections.ts';
import { asciiHost, parseUrl } from '../../model/values/urls.ts';
import { codePointName, quote } from '../../model/values/words.ts';
import type { FindingWords } from '../../model/workspace/diagnostic.ts';

const example = 'Write a URL such as `https://example.com/hook`.';

const maxHostLength = 253;
const highestPort = 65_535;

const unseen = /[\p{C}\p{Z}]/u;
const brokenPercent = /%(?![0-9A-Fa-f]{2}).{0,2}/;
/** Characters that the parser encodes in a path or a query, where a reader would not see it. */
const encodedAfterHost = /[^!-~]|["<>`{}]/u;

export function checkUrl(value: string): readonly FindingWords[] {
  const found = findFault(value);
  return found === undefined ? [] : [{ code: 'invalid-url', message: found.message, hint: found.hint ?? example }];
}

type UrlFault = Omit<FindingWords, 'code'>;

function findFault(value: string): UrlFault | undefined {
  if (value.trim() === '') return { message: 'The URL is empty.' };
  const blank = unseen.exec(value)?.[0];
  if (blank !== undefined) {
    const name = blank === ' ' ? 'a space' : `${codePointName(blank)}, an invisible character`;
    return {
      message: `The URL contains ${name}. Some programs drop it and some do not, so the request may go to a different address.`,
    };
  }
  if (value.includes('\\')) {
    return {
      message: 'The URL contains a `\\`, which programs read differently.',
      hint: 'Write `/`, or `%5C` where a backslash is meant.',
    };
  }
  const scheme = schemeFault(value);
  if (scheme !== undefined) return scheme;
  const [, authority = '', rest = ''] = /^\w+:\/\/([^/?#]*)(.*)$/su.exec(value) ?? [];
  const userEnd = authority.lastIndexOf('@');
  const user = userEnd < 0 ? undefined : authority.slice(0, userEnd);
  const [, host = '', port] = /^(\[[^\]]*\]?[^:]*|[^:]*)(?::(.*))?$/su.exec(authority.slice(userEnd + 1)) ?? [];
  return userFault(user) ?? hostFault(host) ?? portFault(port) ?? restFault(rest) ?? percentFault(value);
}

function schemeFault(value: string): UrlFault | undefined {
  const [, scheme, slashes = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]{0,30}):)?(\/*)/.exec(value) ?? [];
  const isHttp = /^https?$/i.test(scheme ?? '');
  if (isHttp && slashes.length >= 2) return undefined;
  if (isHttp) {
    const start = `${scheme}:`.toLowerCase();
    const found = slashes === '' ? 'no slash' : 'one slash';
    return { message: `\`${start}\` is followed by ${found} instead of two.`, hint: `Write \`${start}//\`.` };
  }
  const message =
    scheme === undefined || slashes === ''
      ? 'The URL does not begin with `http://` or `https://`.'
      : `The URL begins with ${quote(`${scheme.toLowerCase()}:`)}; deliveries go to \`http://\` or \`https://\` only.`;
  return { message, hint: 'Write the whole URL, such as `https://example.com/hook`.' };
}

function userFault(user: string | undefined): UrlFault | undefined {
  if (user === undefined) return undefined;
  if (user === '' || user === ':')
    return { message: 'There is an `@` before the host, but no user before the `@`.', hint: 'Remove the `@`.' };
  const { username = '', password = '' } = parseUrl(`http://${user}@a/`) ?? {};
  const read = user.includes(':') ? `${username}:${password}` : username;
  return read === user ? undefined : readAs(`${quote(user)}, before the \`@\`,`, read);
}

/** `what` begins a sentence. */
function readAs(what: string, read: string): UrlFault {
  return { message: `${what} is read as ${quote(read)}.`, hint: `If that is meant, write ${quote(read)}.` };
}

/** Many URLs have the same host. */
const hostFault = memoize((host: string): UrlFault | undefined => {
  if (host === '') return { message: 'The URL has no host.' };
  if (/[^!-~]/u.test(host)) return foreignHostFault(host);
  // A text of 100 kB is not worth the parser's time.
  const read = host.length > 2 * maxHostLength ? host.toLowerCase() : parseUrl(`http://${host}/`)?.hostname;
  if (read === undefined)
    return {
      message: `${quote(host)} is not a host: neither a name, nor an IPv4 address, nor an IPv6 address in brackets.`,
    };
  // IPv6 addresses have several forms, which all programs read alike.
  if (/^\[[0-9A-Fa-f:.]+\]$/.test(host)) return undefined;
  if (read !== host.toLowerCase()) return readAs(`The host ${quote(host)}`, read);
  if (/^[0-9]+(?:\.[0-9]+){3}$/.test(host)) return undefined;
  const fault = hostNameFault(host.replace(/\.$/, ''), { longest: maxHostLength, underscores: true });
  return fault === undefined ? undefined : { message: `The host is not valid. ${fault}` };
}, 1000);

/** Characters that a parser folds into ASCII, or drops, look different to a reader. */
function foreignHostFault(host: string): UrlFault | undefined {
  const ascii = asciiHost(host);
  const isPlain = host === host.normalize('NFKC') && !/\p{Default_Ignorable_Code_Point}/u.test(host);
  if (isPlain && ascii !== undefined) return hostFault(ascii);
  return {
    message: `The host ${quote(host)} contains characters beyond ASCII that a request carries in another form.`,
    hint: ascii && `Write ${quote(ascii)}, the same host in ASCII.`,
  };
}

function portFault(port: string | undefined): UrlFault | undefined {
  if (port === undefined) return undefined;
  if (port === '') return { message: 'A `:` follows the host, but no port.', hint: 'Remove the `:`.' };
  if (/^[1-9][0-9]{0,4}$/.test(port) && Number(port) <= highestPort) return undefined;
  return {
    message: `${quote(port)} is not a port.`,
    hint: `A port is a number from 1 to ${highestPort}, without leading zeros.`,
  };
}

function restFault(rest: string): UrlFault | undefined {
  const encoded = encodedAfterHost.exec(rest)?.[0];
  if (encoded === undefined) return undefined;
  return {
    message: `The URL contains ${quote(encoded)} after the host, which must be encoded in a URL.`,
    hint: `Write \`${encodeURIComponent(encoded)}\` for it.`,
  };
}

function percentFault(text: string): UrlFault | undefined {
  const broken = brokenPercent.exec(text)?.[0];
  if (broken === undefined) return undefined;
  return {
    message: `In ${quote(broken)} two hexadecimal digits do not follow the \`%\`.`,
    hint: 'Write `%25` for a percent sign.',
  };
}

// The rule of DNS that e-mail and URLs share: the form of a host name (RFC 1035, RFC 1123).

interface HostRule {
  readonly longest: number;
  /** Underscores are not allowed in host names, but occur in URLs of private networks. */
  readonly underscores: boolean;
}

/** The fault of a name of ASCII labels, as a sentence that begins with the faulty part; undefined if there is none. */
export function hostNameFault(host: string, rule: HostRule): string | undefined {
  if (host.length > rule.longest)
    return `The host name is ${host.length} characters long; at most ${rule.longest} are allowed.`;
  const allowed = rule.underscores ? /^[A-Za-z0-9_-]+$/ : /^[A-Za-z0-9-]+$/;
  for (const label of host.split('.')) {
    if (label === '') return `${quote(host)} has an empty part: a dot at an end, or two dots in a row.`;
    if (label.length > 63)
      return `${quote(label)} is ${label.length} characters long; at most 63 are allowed between two dots.`;
    if (label.startsWith('-') || label.endsWith('-')) return `${quote(label)} begins or ends with a hyphen.`;
    if (!allowed.test(label)) return `${quote(label)} contains a character that host names cannot have.`;
  }
  return undefined;
}
