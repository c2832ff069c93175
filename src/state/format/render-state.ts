// The state file and its journal as text. The state is made to be read in a git diff: one value a line, the head first,
// everything below sorted.

import { type JournalLine, type StateLogEntry, withSum } from '../../model/plan/journal.ts';
import type { State } from '../../model/plan/state.ts';
import { type Json, sortKeys } from '../../model/values/json.ts';

export function renderState(state: State): string {
  return `${JSON.stringify(ordered(state), null, 2)}\n`;
}

function ordered(state: State): object {
  const { resources, orphans, unresolved, version, lineage, serial, toolVersion, baseUrl, salt, secretKey, commit } =
    state;
  const head = { version, lineage, serial, toolVersion, baseUrl, salt, secretKey, commit };
  const body = {
    resources: sortKeys(resources as unknown as Json),
    orphans: sortKeys(orphans as unknown as Json),
    unresolved: sortKeys(unresolved as unknown as Json),
  };
  return { ...head, ...body };
}

/** One line of the journal. Its newline tells a whole line from a torn one, and its checksum a damaged one. */
export function renderJournalLine(line: JournalLine): string {
  return `${withSum(JSON.stringify(line))}\n`;
}

/** An entry of the log of a shared state as one line of JSON, which ends in a checksum. */
export function renderLogEntry({ v, id, n, kind, run, at, ...rest }: StateLogEntry): string {
  return withSum(JSON.stringify({ v, id, n, kind, run, at, ...rest }));
}
