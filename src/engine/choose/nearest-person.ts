// Who was probably meant by an address that nobody has: somebody of the same domain with nearly that name, or of that name
// at nearly that domain. Two short names of one domain are not near, though few letters differ.

import { nearest } from '../../validate/findings/suggest.ts';

/** As it is written in `addresses`; undefined if none is near. */
export function nearestPerson(address: string, addresses: readonly string[]): string | undefined {
  const [name, domain] = partsOf(address);
  const known = addresses.map(partsOf);
  const names = known.flatMap(([own, at]) => (at === domain ? [own] : []));
  const domains = known.flatMap(([own, at]) => (own === name ? [at] : []));
  const nearName = nearest(name, names);
  const nearDomain = nearName === undefined ? nearest(domain, domains) : domain;
  if (nearDomain === undefined) return undefined;
  const meant = `${nearName ?? name}@${nearDomain}`;
  return addresses.find((each) => each.toLowerCase() === meant);
}

function partsOf(address: string): readonly [name: string, domain: string] {
  const at = address.lastIndexOf('@');
  return [address.slice(0, Math.max(0, at)).toLowerCase(), address.slice(at + 1).toLowerCase()];
}
