// What to do about a trigger whose answer was lost.

import type { Address } from '../../model/values/address.ts';

/** Without the full stop. */
export function resolveHint(address: Address): string {
  return `Ask a recipient, or look at the deliveries in Omni. Then \`almanac state resolve ${address} --done\`, or \`--retry\` if it was not delivered`;
}
