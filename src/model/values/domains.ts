// Compares e-mail addresses and domains, and tells which are ours. `safety.internalDomains` of almanac.yaml names ours.

import { byCodeUnit } from './json.ts';
import { asciiHost } from './urls.ts';

/** A domain or a host as two are compared: `Bücher.example` and `xn--bcher-kva.example` are the same. */
export function domainKey(host: string): string {
  const lower = host.toLowerCase();
  return /[^!-~]/.test(lower) ? (asciiHost(lower) ?? lower) : lower;
}

/** An address as two are compared; a domain alone is one without a name before it. */
export function addressKey(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at).toLowerCase() + domainKey(address.slice(at));
}

/** The other addresses that differ only in what follows a `+`: most mail systems deliver those to one mailbox. */
export function otherSpellings(address: string, addresses: readonly string[]): readonly string[] {
  const [own, mailbox] = [addressKey(address), mailboxOf(address)];
  const others = addresses.filter((each) => mailboxOf(each) === mailbox && addressKey(each) !== own);
  return [...new Set(others)].sort(byCodeUnit);
}

function mailboxOf(address: string): string {
  const key = addressKey(address);
  const [plus, at] = [key.indexOf('+'), key.lastIndexOf('@')];
  return plus > 0 && plus < at ? key.slice(0, plus) + key.slice(at) : key;
}

/**
 * The domain to compare, or the whole address if it may lead on: a relay sends `ana%b.com@a.com` and `b.com!ana@a.com`
 * to b.com, and a program that decodes `=?utf-8?q?ana=40b.com=3e?=@a.com` may as well.
 */
export function domainOf(recipient: string): string | undefined {
  const at = recipient.lastIndexOf('@');
  if (at < 0) return undefined;
  return addressKey(recipient).slice(/[%!]|=\?/.test(recipient.slice(0, at)) ? 0 : at + 1);
}

/**
 * Tells whether a domain or a host is one of ours: a domain of safety.internalDomains is inside together with its
 * subdomains. A text that is neither, such as a URL that nobody can read, is outside, whatever it ends with.
 */
export function insideTest(internalDomains: readonly string[]): (host: string) => boolean {
  const inside = internalDomains.map(domainKey);
  const isName = /^[\p{L}\p{M}\p{N}._-]+$/u;
  return (host) => {
    const key = domainKey(host);
    return isName.test(host) && inside.some((domain) => key === domain || key.endsWith(`.${domain}`));
  };
}

// Mail domains where anybody can have an address. Two people at such a domain have nothing to do with each other. The
// list is closed and holds the best known ones: whoever needs another one has a table of permissions.

export const freeMailDomains: ReadonlySet<string> = new Set([
  'aol.com',
  'fastmail.com',
  'gmail.com',
  'gmx.com',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'live.com',
  'me.com',
  'outlook.com',
  'proton.me',
  'web.de',
  'yahoo.com',
]);
