// Where the state lives. The store keeps bytes safe; what they mean is the engine's.

import type { Journal, JournalHeader, JournalIntent, JournalOutcome } from '../model/plan/journal.ts';
import type { State } from '../model/plan/state.ts';

export interface LockInfo {
  readonly who: string;
  readonly host: string;
  readonly pid: number;
  readonly command: string;
  readonly since: string;
  /** In CI: where that run can be watched. */
  readonly runUrl?: string;
}

export interface StoredState {
  /** Undefined where there is no state yet. */
  readonly state: State | undefined;
  /** What an apply that did not finish left; undefined where there is none. */
  readonly journal: Journal | undefined;
}

export interface StateStore {
  /** How users call it: the path of the state file. */
  readonly name: string;
  /** Reads both; throws Failure state-unreadable with the reason and the way out. Writes nothing. */
  read(): Promise<StoredState>;
  /** Takes the lock or throws Failure state-locked, which says by whom and since when. */
  lock(command: string): Promise<LockedStore>;
  /** Who holds the lock; undefined where nobody does, no holder where it doesn't say. */
  lockHolder(): Promise<{ readonly holder?: LockInfo } | undefined>;
  /** Removes the lock whoever holds it; undefined where there was none, no holder where it didn't say. */
  unlock(): Promise<{ readonly holder?: LockInfo } | undefined>;
}

/** The store while this process holds its lock. */
export interface LockedStore {
  /** What was noticed while locking: the lock of a dead process taken over. */
  readonly notes: readonly string[];
  read(): Promise<StoredState>;
  /** Begins a journal with its first line, durable on return. Throws Failure state-conflict where one exists. */
  begin(header: JournalHeader): Promise<void>;
  /** Adds lines; resolves when they are durable. Calls may overlap: one fsync serves several. Throws Failure state-unwritable; then no later call succeeds. */
  append(lines: readonly (JournalIntent | JournalOutcome)[]): Promise<void>;
  /**
   * Writes the state in one step and removes the journal; of an unchanged state, and of none, it only removes the journal.
   * Throws Failure state-conflict where the state was replaced since it was read, or state-unwritable: then the journal
   * stays and the state is kept in a file that the failure names, with the command that puts it back.
   */
  commit(state: State | undefined): Promise<void>;
  /** Never throws: a lock that can't be removed is taken over when this process is gone. */
  release(): Promise<void>;
}
