// What the history says of a run: how many resources its journal changed.

import { parseJournal } from '../../../parse/parse-journal.ts';

/** Of how many resources the lines say that they were changed. */
export function changesOf(lines: readonly string[], name: string): number {
  const journal = lines.length === 0 ? undefined : parseJournal(lines.join(''), `the journal of ${name}`);
  const addresses = new Map<number, string>();
  const changed = new Set<string>();
  for (const line of journal?.lines ?? []) {
    if (line.type === 'intent') addresses.set(line.seq, line.address);
    else if (line.status === 'applied') changed.add(addresses.get(line.seq) ?? '');
  }
  return changed.size;
}
