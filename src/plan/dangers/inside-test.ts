// Whether a domain or a host is one of ours, as `safety.internalDomains` lists them.

import { parseUrl } from '../../model/values/parse-url.ts';

/** A domain is inside together with its subdomains. */
export function insideTest(internalDomains: readonly string[]): (host: string) => boolean {
  const inside = internalDomains.map((domain) => parseUrl(`https://${domain}`)?.hostname ?? domain);
  return (host) => inside.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
