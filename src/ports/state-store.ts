// The place of the state. The store keeps bytes safe; the engine interprets them.

import type { Journal, JournalHeader, JournalIntent, JournalOutcome } from '../model/plan/journal.ts';
import type { State } from '../model/plan/state.ts';

export interface LockInfo {
  readonly who: string;
  readonly host: string;
  readonly pid: number;
  readonly command: string;
  readonly since: string;
  /** In CI: the URL of that run. */
  readonly runUrl?: string;
}

export interface StoredState {
  /** Undefined if there is no state yet. */
  readonly state: State | undefined;
  /** The journal of an unfinished apply; undefined if there is none. */
  readonly journal: Journal | undefined;
}

export interface HeldLock {
  readonly holder?: LockInfo;
  /** Its process has certainly ended. */
  readonly isDead: boolean;
}

export interface StateStore {
  /** The name used in messages: the path of the state file. */
  readonly name: string;
  /** Reads the state and the journal. Throws Failure state-unreadable with the reason and a hint. Writes nothing. */
  read(): Promise<StoredState>;
  /** Takes the lock, or throws Failure state-locked, which names the holder and the time. */
  lock(command: string): Promise<LockedStore>;
  /** The holder of the lock; undefined if it is free, without a holder if the lock does not name one. */
  lockHolder(): Promise<HeldLock | undefined>;
  /** Removes the lock no matter who holds it; undefined if it was free, without a holder if it named none. */
  unlock(): Promise<{ readonly holder?: LockInfo } | undefined>;
}

/** The store while this process holds its lock. */
export interface LockedStore {
  /** Remarks about locking, such as a lock taken over from a dead process. */
  readonly notes: readonly string[];
  read(): Promise<StoredState>;
  /** Starts a journal with its first line, durable on return. Throws Failure state-conflict if one exists. */
  begin(header: JournalHeader): Promise<void>;
  /** Adds lines; resolves when they are durable. Calls may overlap. After a Failure state-unwritable all calls fail. */
  append(lines: readonly (JournalIntent | JournalOutcome)[]): Promise<void>;
  /**
   * Writes the state atomically and removes the journal. If the state is unchanged or undefined, it only removes the
   * journal. Throws Failure state-conflict if the state was replaced since it was read, or state-unwritable. In both
   * cases the journal stays, and the failure names a file that has the new state and the command that restores it.
   */
  commit(state: State | undefined): Promise<void>;
  /** Never throws: a lock that cannot be removed is taken over once this process has ended. */
  release(): Promise<void>;
}
