// Makes the entries of a log, and those with which a place is tried.

import { createCipheriv, randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Clock } from '../../model/outside.ts';
import { sha256 } from '../format/fold-log.ts';
import { logVersion, renderLogEntry, type StateLogEntry } from '../format/log-entry.ts';
import { parseJournal } from '../format/parse-journal.ts';
import type { NewEntry } from '../state-log.ts';

type WithoutHead<E> = E extends StateLogEntry ? Omit<E, 'v' | 'id' | 'n' | 'run' | 'at'> : never;

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

/** Ids and what the service adds may be longer than those that were made up for the results. */
const margin = 1.02;

/**
 * The text that makes `entry` need as much room as `next`, which follows the state `before`; empty if it needs as much. `packs` as in
 * StateLog: git compresses both, and sends only the changed lines of the state's own file, unless they are half of it.
 */
export function fillUp(entry: NewEntry, next: NewEntry, before: string, packs: boolean): string {
  if (!packs) return ' '.repeat(Math.max(0, Math.ceil(next.bytes.length * margin) - entry.bytes.length));
  const { bytes, snapshot = '' } = next;
  const left = new Map<string, number>();
  for (const line of before.split('\n')) left.set(line, (left.get(line) ?? 0) + 1);
  const lines = snapshot.split('\n').filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
  const changed = lines.join('\n');
  const sent = changed.length > snapshot.length / 2 ? snapshot : changed;
  const missing = Math.ceil((packed(bytes) + packed(sent)) * margin) - packed(entry.bytes);
  if (missing <= 0) return '';
  // Bytes that cannot be compressed, the same each time: a repository keeps equal parts once.
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16));
  return cipher.update(Buffer.alloc(missing)).toString('base64');
}

function packed(data: Uint8Array | string): number {
  return deflateSync(data).length;
}

/** What an apply writes, for an empty log beside the real one: a lock, lines, and a state with the release. */
export function rehearsal(clock: Clock): readonly NewEntry[] {
  const run = randomUUID();
  const since = new Date(clock.now()).toISOString();
  const info = { who: 'almanac', host: 'Zoë’s 📅', pid: 1, command: 'state check', since };
  const state = '{\n  "text": "a trial of the place"\n}\n';
  const contents: readonly Content[] = [
    { kind: 'lock', info, lease: 1 },
    { kind: 'lines', lines: ['"Zoë’s 📅"\n'] },
    { kind: 'commit', state, sha256: sha256(state), serial: 1, lineage: run, info, changes: 1, release: true },
  ];
  return contents.map((content, index) => newEntry(content, 'A trial of the place', { n: index + 1, run, clock }));
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
