// The first line of a journal: the version of the state that its lines continue.

import type { JournalHeader } from '../../model/plan/journal.ts';
import type { State } from '../../model/plan/state.ts';
import type { Randomness } from '../../ports/randomness.ts';

/** `state` is undefined where the journal begins a new state. */
export function journalHeader(
  { state, salt }: { readonly state: State | undefined; readonly salt: string },
  baseUrl: string,
  { randomness, toolVersion }: { readonly randomness: Randomness; readonly toolVersion: string },
): JournalHeader {
  const { lineage, serial } = state ?? { lineage: randomness.uuid(), serial: 0 };
  return { type: 'header', version: 1, lineage, serial, baseUrl, salt, toolVersion };
}
