// The domain of an e-mail address, and which domains and hosts are ours: those of `safety.internalDomains` in almanac.yaml.

import { parseUrl } from './urls.ts';

/**
 * The whole address if it may have a way behind that domain: a relay sends `ana%b.com@a.com` and `b.com!ana@a.com` to b.com, and
 * a program that decodes `=?utf-8?q?ana=40b.com=3e?=@a.com` may as well.
 */
export function domainOf(recipient: string): string | undefined {
  const at = recipient.lastIndexOf('@');
  if (at < 0) return undefined;
  return recipient.slice(/[%!]|=\?/.test(recipient.slice(0, at)) ? 0 : at + 1).toLowerCase();
}

/**
 * Whether a domain or a host is one of ours: a domain of safety.internalDomains is inside together with its subdomains. A
 * text that is neither, such as a URL that nobody can read, is outside, whatever it ends with.
 */
export function insideTest(internalDomains: readonly string[]): (host: string) => boolean {
  const inside = internalDomains.map((domain) => parseUrl(`https://${domain}`)?.hostname ?? domain);
  const isName = /^[\p{L}\p{M}\p{N}._-]+$/u;
  return (host) => isName.test(host) && inside.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
