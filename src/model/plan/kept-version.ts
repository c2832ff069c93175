// The version of what is kept: of a state and of a journal. Each is written in the earliest version that can hold it, so that
// an older Almanac goes on reading what it can read, and asks for an upgrade where it cannot.

import { type Address, type Kind, kindAt } from '../values/address.ts';

/** Those that are read and written. */
export const keptVersions = [2, 3] as const;
export type KeptVersion = (typeof keptVersions)[number];

/** The earliest version that can hold a resource of the kind. */
const heldFrom = {
  dashboard: 2,
  schedule: 2,
  routine: 3,
  aiJob: 2,
} as const satisfies Readonly<Record<Kind, KeptVersion>>;

/** Of what is kept about these addresses. `holdsGroups`: ids of user groups are among it. */
export function keptVersion(addresses: Iterable<Address>, holdsGroups: boolean): KeptVersion {
  if (holdsGroups) return 3;
  for (const address of addresses) if (heldFrom[kindAt(address)] === 3) return 3;
  return 2;
}
