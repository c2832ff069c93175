// The first line of a journal: the version of the state that its lines continue.

import type { Randomness } from '../model/outside.ts';
import type { JournalHeader } from '../model/plan/journal.ts';
import { keptVersion } from '../model/plan/kept-version.ts';
import type { State } from '../model/plan/state.ts';
import type { Address } from '../model/values/address.ts';
import { stateDigest } from '../state/journal-of-state.ts';

interface Continued {
  readonly state: State | undefined;
  readonly salt: string;
  readonly keying: Pick<JournalHeader, 'secretKey'>;
}

interface HeaderPorts {
  readonly randomness: Randomness;
  readonly toolVersion: string;
}

/** `state` is undefined where the journal begins a new state. `addresses`: all that its lines may be about; `holdsGroups`: they may hold ids of user groups. */
export function journalHeader(
  { state, salt, keying }: Continued,
  { addresses, holdsGroups = false }: { readonly addresses: readonly Address[]; readonly holdsGroups?: boolean },
  baseUrl: string,
  { randomness, toolVersion }: HeaderPorts,
): JournalHeader {
  const { lineage, serial } = state ?? { lineage: randomness.uuid(), serial: 0 };
  return {
    type: 'header',
    version: keptVersion(addresses, holdsGroups),
    lineage,
    serial,
    base: state && stateDigest(state),
    baseUrl,
    salt,
    secretKey: keying.secretKey,
    toolVersion,
  };
}
