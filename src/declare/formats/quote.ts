// Quotes a part of a value in a message: in backticks, on one line, with invisible characters made visible and long
// strings truncated. If a value contains a secret, neither the message nor the hint of a check may be shown: both may quote
// it, as written or decoded.

const longest = 60;
const unseen = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

export function quote(text: string): string {
  const characters = [...text.slice(0, 2 * longest)];
  const cut = characters.length > longest || text.length > 2 * longest;
  const shown = characters.slice(0, longest).join('').replaceAll(unseen, escaped).replaceAll('`', "'");
  return `\`${shown}${cut ? '…' : ''}\``;
}

/** The name of an invisible character in a sentence: `U+200B`. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The rule of DNS that e-mail and URLs share: what a host name is made of (RFC 1035, RFC 1123). */
interface HostRule {
  readonly longest: number;
  /** Underscores are not allowed in host names, but occur in URLs of private networks. */
  readonly underscores: boolean;
}

/** What is wrong with a name of ASCII labels, as a sentence that begins with the faulty part; undefined if nothing is. */
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
