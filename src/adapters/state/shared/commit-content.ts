// What the entry of a new state says.

import type { CommitEntry } from '../../../model/plan/log-entry.ts';
import type { LockInfo, LockRecord } from '../../../model/workspace/lock-info.ts';
import type { LastCommit } from '../../../parse/state/fold-log.ts';
import { parseJournal } from '../../../parse/state/parse-journal.ts';
import { sha256 } from './log-reader.ts';
import type { Content } from './new-entry.ts';

export interface Committed {
  /** How users call the place. */
  readonly name: string;
  readonly state: Pick<CommitEntry, 'state' | 'serial' | 'lineage'>;
  /** The commit before. */
  readonly last: LastCommit | undefined;
  /** The journal that it ends. */
  readonly lines: readonly string[];
  readonly info: LockRecord;
  /** Whose lock was taken over since the commit before. */
  readonly over: LockInfo | undefined;
  /** Seconds; undefined if it releases the lock. */
  readonly lease: number | undefined;
}

export function commitContent(committed: Committed): Extract<Content, { readonly kind: 'commit' }> {
  const { name, state, last, lines, info, over, lease } = committed;
  return {
    kind: 'commit',
    ...state,
    sha256: sha256(state.state),
    info,
    changes: changesOf(lines, name),
    over,
    previous: last?.n,
    release: lease === undefined,
    lease,
  };
}

/** Of how many resources the lines say that they were changed. */
function changesOf(lines: readonly string[], name: string): number {
  const journal = lines.length === 0 ? undefined : parseJournal(lines.join(''), `the journal of ${name}`);
  const addresses = new Map<number, string>();
  const changed = new Set<string>();
  for (const line of journal?.lines ?? []) {
    if (line.type === 'intent') addresses.set(line.seq, line.address);
    else if (line.status === 'applied') changed.add(addresses.get(line.seq) ?? '');
  }
  return changed.size;
}
