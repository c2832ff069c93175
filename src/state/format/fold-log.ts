// Folds the log of a shared state: who holds the lock, the last state, and the journal that was not folded into it yet.
// Pure. Each rule follows from the order of the log: what breaks one was not written by Almanac, so it is refused.

import { createHash } from 'node:crypto';
import type { LockRecord } from '../../model/workspace/lock.ts';
import { maxLease } from '../../model/workspace/state-place.ts';
import { Damage, namingDamage } from './damage.ts';
import type { CommitEntry, StateLogEntry } from './log-entry.ts';
import { entryIn, restorePlace } from './log-entry.ts';

export interface NumberedText {
  readonly n: number;
  readonly text: string;
}

export interface LogHolder {
  readonly run: string;
  readonly info: LockRecord;
  /** The seconds that it lasts. */
  readonly lease: number;
}

interface LastCommit {
  readonly n: number;
  /** The text of the state; empty where there is none yet. */
  readonly state: string;
  readonly serial: number;
  readonly lineage: string;
  readonly by: LockRecord;
}

export interface FoldedLog {
  /** The number of the newest entry; 0 for an empty log. */
  readonly at: number;
  readonly commit?: LastCommit;
  /** The lines since the last commit. */
  readonly journal: readonly string[];
  readonly holder?: LogHolder;
}

export const emptyLog: FoldedLog = { at: 0, journal: [] };

/** Adds the entries that follow `log`, in order. `name` is the place as users see it. Throws Failure state-unreadable. */
export function foldLog(log: FoldedLog, entries: readonly NumberedText[], name: string): FoldedLog {
  return namingDamage(name, restorePlace, () => entries.reduce(foldEntry, log));
}

/** The digest of a text in UTF-8, in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Throws Damage. */
function foldEntry(log: FoldedLog, { n, text }: NumberedText): FoldedLog {
  const entry = entryIn(text, n);
  const refuse = (why: string): never => {
    throw new Damage(`entry ${n} of its log ${why}`);
  };
  const isNext = n === log.at + 1;
  // Earlier entries may be left out only before a commit, as only that says all that has to be known.
  if (!isNext && (entry.kind !== 'commit' || n <= log.at)) {
    throw new Damage(`entry ${log.at + 1} of its log is missing: ${n} follows ${log.at}`);
  }
  if (entry.kind === 'lock') checkLock(entry, log.holder, refuse);
  else if (isNext && entry.run !== log.holder?.run) {
    refuse(
      log.holder === undefined ? 'was written without a lock' : 'was written by a run that does not hold the lock',
    );
  }
  const { commit, journal } = log;
  switch (entry.kind) {
    case 'lock':
      return { at: n, commit, journal, holder: holderOf(entry, entry.lease) };
    case 'lines':
      return { ...log, at: n, journal: [...journal, ...entry.lines] };
    case 'unlock':
      return { at: n, commit, journal };
    case 'commit': {
      checkCommit(entry, commit, isNext, refuse);
      if (sha256(entry.state) !== entry.sha256) refuse('holds another state than the one whose SHA-256 it names');
      const { state, serial, lineage, release, lease, info: by } = entry;
      const next = { n, state, serial, lineage, by };
      if (release) return { at: n, commit: next, journal: [] };
      if (lease === undefined) return refuse('keeps the lock but names no lease');
      return { at: n, commit: next, journal: [], holder: holderOf(entry, lease) };
    }
  }
}

/** No Almanac asks for a longer lease, and a lock shall end some day whoever wrote it. */
function holderOf({ run, info }: { readonly run: string; readonly info: LockRecord }, lease: number): LogHolder {
  return { run, info, lease: Math.min(lease, maxLease) };
}

type Refuse = (why: string) => never;

/** A lock that is held is taken over by name, so that nobody takes one of which they did not know. */
function checkLock(
  entry: Extract<StateLogEntry, { readonly kind: 'lock' }>,
  holder: LogHolder | undefined,
  refuse: Refuse,
): void {
  if (holder !== undefined && entry.over === undefined) refuse('takes a lock that another run holds');
  if (entry.over?.run !== holder?.run) refuse('takes over a lock that its run did not hold');
  if (entry.run === holder?.run) refuse('takes a lock that its run holds already');
}

function checkCommit(entry: CommitEntry, last: LastCommit | undefined, isNext: boolean, refuse: Refuse): void {
  if (isNext && entry.previous !== last?.n) refuse('does not name the commit before it');
  if (entry.previous !== undefined && last !== undefined && entry.previous < last.n) {
    refuse('does not name the commit before it');
  }
  if (entry.state === '' && (entry.serial !== 0 || entry.lineage !== '')) refuse('lacks the state of its serial');
  if (last === undefined || last.state === '') return;
  if (entry.state === '' || entry.lineage !== last.lineage) {
    refuse(`is of another state: its lineage is ${entry.lineage}, and that of entry ${last.n} is ${last.lineage}`);
  }
  if (entry.serial < last.serial)
    refuse(`has the serial ${entry.serial}, and entry ${last.n} has ${last.serial} already`);
}
