// A state in a place where each write takes time, and where only so many may follow each other. Lines that come while a
// write is under way go with the next one. Keeps what would be durable after a crash.

import type { Clock } from '../../../src/model/outside.ts';
import type { JournalHeader, JournalIntent, JournalOutcome } from '../../../src/model/plan/journal.ts';
import type { State } from '../../../src/model/plan/state.ts';
import type { LockedStore, Recoverable, StateStore, StoredState } from '../../../src/state/state-store.ts';

export interface Pace {
  /** Milliseconds of a write. */
  readonly latencyMs: number;
  /** After `burst` writes, one in so many milliseconds. */
  readonly paceMs?: number;
  readonly burst?: number;
  readonly windows?: Partial<Record<Recoverable, number>>;
}

export interface PacedStore extends StateStore {
  stored: StoredState;
  /** When each write ended. */
  readonly writes: number[];
  /** The intents without an outcome that a crash would leave, as the last write left them. */
  unresolved(): readonly JournalIntent[];
  /** Called after each write. */
  onWrite: () => void;
}

type Line = JournalIntent | JournalOutcome;

export function makePacedStore(clock: Clock, { latencyMs, paceMs = 0, burst = 6, windows = {} }: Pace): PacedStore {
  let tokens = burst;
  let counted = clock.now();
  let pending: Line[] = [];
  let header: JournalHeader | undefined;
  let flush: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  const writes: number[] = [];

  async function takeToken(): Promise<void> {
    if (paceMs === 0) return;
    tokens = Math.min(burst, tokens + (clock.now() - counted) / paceMs);
    counted = clock.now();
    tokens -= 1;
    if (tokens < 0) await clock.sleep(-tokens * paceMs);
  }

  /** One after the other. `change` is what is durable then. */
  function write(take: () => () => void): Promise<void> {
    last = last.then(async () => {
      const change = take(); // what it holds is fixed before it waits
      await takeToken();
      await clock.sleep(latencyMs);
      change();
      writes.push(clock.now());
      made.onWrite();
    });
    return last;
  }

  const putLines = () => {
    flush = undefined;
    const lines = pending;
    pending = [];
    return () => {
      const first = made.stored.journal?.header ?? header;
      if (first === undefined) return;
      made.stored = {
        ...made.stored,
        journal: { header: first, lines: [...(made.stored.journal?.lines ?? []), ...lines] },
      };
    };
  };

  const locked = (): LockedStore => {
    const released = new AbortController();
    let isTimed = false;
    return {
      notes: [],
      lost: new AbortController().signal,
      read: async () => made.stored,
      begin: async (given) => {
        header = given;
      },
      append: (lines) => {
        pending.push(...lines);
        flush ??= write(putLines);
        return flush;
      },
      appendLater: (lines) => {
        pending.push(...lines);
        if (isTimed) return;
        isTimed = true;
        void clock.sleep(paceMs + 2000, released.signal).then(() => {
          isTimed = false;
          if (released.signal.aborted || pending.length === 0) return;
          flush ??= write(putLines);
        });
      },
      windowFor: (kind) => windows[kind] ?? 1,
      guard: async () => undefined,
      holds: () => true,
      commit: async (state: State | undefined, { release = false } = {}) => {
        if (release) released.abort();
        await write(() => {
          pending = [];
          return () => {
            made.stored = { state, journal: undefined };
            header = undefined;
          };
        });
      },
      release: async () => released.abort(),
    };
  };

  const made: PacedStore = {
    name: 'a paced place',
    stored: { state: undefined, journal: undefined },
    writes,
    onWrite: () => undefined,
    unresolved: () => {
      const lines = made.stored.journal?.lines ?? [];
      const settled = new Set(lines.flatMap((line) => (line.type === 'outcome' ? [line.seq] : [])));
      return lines.flatMap((line) => (line.type === 'intent' && !settled.has(line.seq) ? [line] : []));
    },
    read: async () => made.stored,
    lock: async () => {
      await write(() => () => undefined);
      return locked();
    },
    lockHolder: async () => undefined,
    unlock: async () => undefined,
    close: async () => undefined,
  };
  return made;
}
