// Makes the entries of a log.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../model/outside.ts';
import { logVersion, renderLogEntry, type StateLogEntry } from '../format/log-entry.ts';
import { parseJournal } from '../format/parse-journal.ts';
import type { NewEntry } from '../state-log.ts';

type WithoutHead<E> = E extends StateLogEntry ? Omit<E, 'v' | 'id' | 'n' | 'run' | 'at'> : never;

/** The content of an entry. */
export type Content = WithoutHead<StateLogEntry>;

interface Head {
  readonly n: number;
  /** The UUID of the lock. */
  readonly run: string;
  readonly clock: Clock;
}

export function newEntry(content: Content, title: string, { n, run, clock }: Head): NewEntry {
  const id = randomUUID();
  const entry: StateLogEntry = { ...content, v: logVersion, id, n, run, at: new Date(clock.now()).toISOString() };
  return {
    id,
    kind: entry.kind,
    bytes: new TextEncoder().encode(renderLogEntry(entry)),
    title,
    snapshot: entry.kind === 'commit' && entry.state !== '' ? entry.state : undefined,
  };
}

/** The number of resources that changed, according to the lines of a journal. */
export function changesIn(lines: readonly string[], name: string): number {
  const journal = lines.length === 0 ? undefined : parseJournal(lines.join(''), `the journal of ${name}`);
  const addresses = new Map<number, string>();
  const changed = new Set<string>();
  for (const line of journal?.lines ?? []) {
    if (line.type === 'intent') addresses.set(line.seq, line.address);
    else if (line.status === 'applied') changed.add(addresses.get(line.seq) ?? '');
  }
  return changed.size;
}
