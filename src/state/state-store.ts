// The place of the state, for whoever plans and applies: a store, and the lock on it.

import type { Journal, JournalHeader, JournalIntent, JournalOutcome } from '../model/plan/journal.ts';
import type { PlanDocument } from '../model/plan/plan.ts';
import type { State, StateVersion } from '../model/plan/state.ts';
import type { LockInfo } from '../model/workspace/lock.ts';

export type { LockInfo };

export interface StoredState {
  /** Undefined if there is no state yet. */
  readonly state: State | undefined;
  /** The journal of an unfinished apply; undefined if there is none. */
  readonly journal: Journal | undefined;
  /** The holder of the lock at that moment; undefined if it was free. */
  readonly lockHolder?: HeldLock | undefined;
  /** A clause that names what the place lacks before its first state. */
  readonly lacks?: string | undefined;
}

export interface HeldLock {
  readonly holder?: LockInfo;
  /** True if its process has certainly ended, or its lease is over. */
  readonly isDead: boolean;
  /** The seconds until a lease may be taken over, as far as this process can know. */
  readonly expiresIn?: number;
}

export interface StateStore {
  /** The name used in messages: the path of the state file, or the name of the shared place. */
  readonly name: string;
  /**
   * Reads the state and the journal. Throws Failure state-unreadable with the reason and a hint, or state-moved. Writes
   * nothing.
   */
  read(): Promise<StoredState>;
  /** Takes the lock, or throws Failure state-locked, which names the holder and the time. */
  lock(command: string, signal?: AbortSignal): Promise<LockedStore>;
  /** The milliseconds to wait before `lock` is tried again; a second if undefined. */
  readonly pollMs?: number;
  /** The holder of the lock; undefined if it is free, without a holder if the lock does not name one. */
  lockHolder(): Promise<HeldLock | undefined>;
  /** Removes the lock no matter who holds it; undefined if it was free, without a holder if it named none. */
  unlock(): Promise<{ readonly holder?: LockInfo } | undefined>;
  /** The bytes that can be read back at most, with the state as a JSON text; undefined without such a limit. */
  readonly mostBytes?: number;
  /** The part that only a place with many users has; undefined for a file. */
  readonly shared?: SharedStore;
  /** Lets go of connections and temporary folders. Never throws. */
  close(): Promise<void>;
}

/** A place that many share. */
export interface SharedStore {
  /** Throws Failure state-backend-unfit, or the permission that lacks. Leaves the state as it is. */
  check(signal?: AbortSignal): Promise<void>;
  /** What `check` cannot ask, the beginning of a sentence; undefined for nothing. */
  readonly unasked?: string | undefined;
  /** The writer of the state that was read last; undefined if there is none. */
  lastWriter(): LockInfo | undefined;
  /** The states that were written, newest first. */
  history(): AsyncIterable<StateVersion>;
  /** Throws Failure refused if no state of that serial was kept. */
  version(serial: number): Promise<State>;
}

export interface CommitOptions {
  /** Releases the lock in the same write. */
  readonly release?: boolean;
}

/** The store while this process holds its lock. */
export interface LockedStore {
  /** Remarks about locking, such as a lock taken over from a dead process. */
  readonly notes: readonly string[];
  /** Aborts when the lock was surely lost: nothing more may be sent. */
  readonly lost: AbortSignal;
  read(): Promise<StoredState>;
  /**
   * Starts a journal with its first line; durable with the first append. Throws Failure state-conflict if one exists. `coming` are
   * the intents that will be sent: in a shared place the first append takes as much room as their results, so that a place that
   * is too small refuses before anything is sent.
   */
  begin(header: JournalHeader, coming?: () => readonly JournalIntent[]): Promise<void>;
  /**
   * Adds lines; resolves when they are durable. Calls may overlap, and share a write. After a Failure state-unwritable or
   * state-lock-lost all calls fail.
   */
  append(lines: readonly (JournalIntent | JournalOutcome)[]): Promise<void>;
  /**
   * Adds outcomes without waiting: they are durable soon, or a commit holds what they say. If one is lost, the next apply
   * has to find out what became of its request.
   */
  appendLater(lines: readonly JournalOutcome[]): void;
  /**
   * Resolves when the lock surely lasts longer than a request of that many milliseconds; renews it if it must. Throws
   * Failure state-lock-lost, and state-unwritable where an earlier line could not be written.
   */
  guard(requestMs: number): Promise<void>;
  /** True if the lock still lasts now; asked as the bytes of a request go out. */
  holds(): boolean;
  /**
   * Writes the state atomically and removes the journal. If the state is unchanged or undefined, it only removes the
   * journal. Throws Failure state-conflict if the state was replaced since it was read, state-lock-lost, or
   * state-unwritable. In these cases the journal stays. Where this run has begun none, the failure says that nothing was
   * changed.
   */
  commit(state: State | undefined, options?: CommitOptions): Promise<void>;
  /** The place of the journal, in words. */
  readonly journal: string;
  /**
   * The noted outcomes that may be nowhere but in this process, after a commit that failed. Undefined if the state was
   * written all the same.
   */
  unwritten(): readonly JournalOutcome[] | undefined;
  /**
   * Renames a file, whose journal is folded, to NAME.moved, for its owner only. From then on `read` throws Failure
   * state-moved. Throws as `commit` does.
   */
  setAside?(): Promise<void>;
  /** Never throws: a lock that cannot be removed is taken over later. */
  release(): Promise<void>;
}

/** An apply in CI carries out what was reviewed. After any other, a plan may undo what its author declared elsewhere. */
export function sharedPlace({
  name,
  shared,
}: Pick<StateStore, 'name' | 'shared'>): Pick<PlanDocument['state'], 'place' | 'writtenBy'> {
  if (shared === undefined) return {};
  const writer = shared.lastWriter();
  return { place: name, writtenBy: writer?.runUrl === undefined ? writer?.who : undefined };
}
