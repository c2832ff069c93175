// The rule of DNS that e-mail and URLs share: the form of a host name (RFC 1035, RFC 1123).

import { quote } from './quote.ts';

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
