// An absolute http or https URL, read strictly: whatever a lenient parser would repair is an error here, because the
// repaired URL differs from the written one. The syntax is that of RFC 3986. Underscores in host names and square brackets
// in paths and queries are tolerated, because all parsers keep them. Credentials before the host are allowed.

import { asciiHost, parseUrl } from '../../model/values/urls.ts';
import type { FindingWords } from '../../model/workspace/diagnostic.ts';
import { codePointName, hostNameFault, quote } from './quote.ts';

const example = 'Write a URL such as `https://example.com/hook`.';

const longestHost = 253;
const highestPort = 65_535;

const unseen = /[\p{C}\p{Z}]/u;
const brokenPercent = /%(?![0-9A-Fa-f]{2}).{0,2}/;
const refusedInUser = /[^A-Za-z0-9._~!$&'()*+,;=:%-]/u;
const refusedAfterHost = /[^A-Za-z0-9._~!$&'()*+,;=:@/?#[\]%-]/u;

export function checkUrl(value: string): readonly FindingWords[] {
  const found = findFault(value);
  return found === undefined ? [] : [{ code: 'invalid-url', message: found.message, hint: found.hint ?? example }];
}

type Fault = Omit<FindingWords, 'code'>;

function findFault(value: string): Fault | undefined {
  if (value.trim() === '') return { message: 'The URL is empty.' };
  const blank = unseen.exec(value)?.[0];
  if (blank !== undefined) {
    const name = blank === ' ' ? 'a space' : `${codePointName(blank)}, an invisible character`;
    return {
      message: `The URL contains ${name}. Some programs drop it and some do not, so the request may go to another address.`,
    };
  }
  if (value.includes('\\')) {
    return {
      message: 'The URL contains a `\\`, which programs read differently.',
      hint: 'Write `/`, or `%5C` where a backslash is meant.',
    };
  }
  const start = /^(?:([A-Za-z][A-Za-z0-9+.-]{0,30}):)?(\/*)/.exec(value);
  const scheme = start?.[1]?.toLowerCase();
  const slashes = start?.[2] ?? '';
  if (scheme === undefined || !/^https?$/.test(scheme)) return schemeFault(scheme, slashes);
  if (slashes.length < 2)
    return {
      message: `\`${scheme}:\` is followed by ${slashes === '' ? 'no slash' : 'one slash'} instead of two.`,
      hint: `Write \`${scheme}://\`.`,
    };

  const rest = value.slice(scheme.length + 3);
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  return authorityFault(authority) ?? pathFault(rest.slice(authority.length)) ?? unreadable(value);
}

function schemeFault(scheme: string | undefined, slashes: string): Fault {
  const hint = 'Write the whole URL, such as `https://example.com/hook`.';
  if (scheme === undefined || slashes === '')
    return { message: 'The URL does not begin with `http://` or `https://`.', hint };
  return {
    message: `The URL begins with ${quote(`${scheme}:`)}; deliveries go to \`http://\` or \`https://\` only.`,
    hint,
  };
}

function authorityFault(authority: string): Fault | undefined {
  const at = authority.lastIndexOf('@');
  return (at === -1 ? undefined : userFault(authority.slice(0, at))) ?? hostAndPortFault(authority.slice(at + 1));
}

function userFault(user: string): Fault | undefined {
  if (user === '' || user === ':')
    return { message: 'There is an `@` before the host, but no user before the `@`.', hint: 'Remove the `@`.' };
  const refused = refusedInUser.exec(user)?.[0];
  if (refused !== undefined) return refusedCharacter(refused, 'before the `@`');
  return percentFault(user);
}

function hostAndPortFault(text: string): Fault | undefined {
  const bracket = text.startsWith('[') ? text.indexOf(']') : -1;
  const colon = text.indexOf(':', bracket + 1);
  const host = colon === -1 ? text : text.slice(0, colon);
  const port = colon === -1 ? undefined : text.slice(colon + 1);
  if (host === '') return { message: 'The URL has no host.' };
  return (
    (host.startsWith('[') ? ipv6Fault(host) : nameFault(host)) ?? (port === undefined ? undefined : portFault(port))
  );
}

function ipv6Fault(host: string): Fault | undefined {
  if (/^\[[0-9A-Fa-f:.]{2,45}\]$/.test(host) && parseUrl(`http://${host}/`) !== undefined) return undefined;
  return {
    message: `${quote(host)} is not an IPv6 address.`,
    hint: 'Write an address such as `[2001:db8::1]`, without a zone.',
  };
}

function nameFault(host: string): Fault | undefined {
  if (/[^!-~]/.test(host)) {
    const ascii = asciiHost(host);
    // Whatever compatibility forms and ignored characters a parser would drop is not what the reader sees.
    const isPlain = host === host.normalize('NFKC') && !/\p{Default_Ignorable_Code_Point}/u.test(host);
    if (isPlain && ascii !== undefined && !endsInNumber(ascii)) return nameFault(ascii);
    return {
      message: `The host ${quote(host)} contains characters beyond ASCII that a request carries in another form.`,
      hint: ascii && `Write ${quote(ascii)}, the same host in ASCII.`,
    };
  }
  // A dot at the end marks a name as complete: the root's empty label.
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  if (endsInNumber(name)) return ipv4Fault(host);
  const fault = hostNameFault(name, { longest: longestHost, underscores: true });
  if (fault === undefined) return undefined;
  return {
    message: `The host is not valid. ${fault}`,
    hint: host.includes('%') ? 'Write the host without percent-encoding.' : undefined,
  };
}

/** Such a host can only be an IPv4 address: no top-level domain is a number (URL Standard, "ends in a number"). */
function endsInNumber(name: string): boolean {
  return /^(?:[0-9]+|0[xX][0-9A-Fa-f]*)$/.test(name.slice(name.lastIndexOf('.') + 1));
}

function ipv4Fault(host: string): Fault | undefined {
  const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
  if (new RegExp(`^${byte}(?:\\.${byte}){3}$`).test(host)) return undefined;
  const meant = host.length <= 64 ? parseUrl(`http://${host}/`)?.hostname : undefined;
  return {
    message: `${quote(host)} is not an IPv4 address of four numbers up to 255 without leading zeros; programs read other forms differently.`,
    hint: meant && `If ${quote(meant)} is meant, write that.`,
  };
}

function portFault(port: string): Fault | undefined {
  if (port === '') return { message: 'A `:` follows the host, but no port.', hint: 'Remove the `:`.' };
  if (/^[1-9][0-9]{0,4}$/.test(port) && Number(port) <= highestPort) return undefined;
  return {
    message: `${quote(port)} is not a port.`,
    hint: `A port is a number from 1 to ${highestPort}, without leading zeros.`,
  };
}

function pathFault(text: string): Fault | undefined {
  const refused = refusedAfterHost.exec(text)?.[0];
  if (refused !== undefined) return refusedCharacter(refused, 'after the host');
  return percentFault(text);
}

function refusedCharacter(character: string, where: string): Fault {
  return {
    message: `The URL contains ${quote(character)} ${where}, which must be encoded in a URL.`,
    hint: `Write \`${encodeURIComponent(character)}\` for it.`,
  };
}

function percentFault(text: string): Fault | undefined {
  const broken = brokenPercent.exec(text)?.[0];
  if (broken === undefined) return undefined;
  return {
    message: `In ${quote(broken)} two hexadecimal digits do not follow the \`%\`.`,
    hint: 'Write `%25` for a percent sign.',
  };
}

/** What only the platform's parser knows: a label `xn--…` that encodes no name. */
function unreadable(value: string): Fault | undefined {
  return parseUrl(value) === undefined ? { message: 'The host is not a name that DNS can look up.' } : undefined;
}
