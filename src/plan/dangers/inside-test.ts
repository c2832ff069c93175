// Whether a domain or a host is one of ours, as `safety.internalDomains` lists them.

import { parseUrl } from '../../model/values/parse-url.ts';

/** For a title of what counts as outside only because no domain is listed. */
export const namingWay = 'list your own domains under safety.internalDomains in almanac.yaml';

/** A domain is inside together with its subdomains. */
export function insideTest(internalDomains: readonly string[]): (host: string) => boolean {
  const inside = internalDomains.map((domain) => parseUrl(`https://${domain}`)?.hostname ?? domain);
  return (host) => inside.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
