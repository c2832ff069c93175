// A place for a shared state in memory. The place can lose requests and answers, and a test may damage it.

import { Failure } from '../../../src/model/workspace/failure.ts';
import type { LogEntry, NewEntry, StateLog } from '../../../src/state/state-log.ts';

interface Kept {
  readonly id: string;
  readonly kind: NewEntry['kind'];
  readonly bytes: Uint8Array;
}

export interface MemoryPlace {
  /** A log of this place, as each machine opens its own. */
  open(): StateLog;
  /** What was written, oldest first; a test may change it. */
  readonly entries: Kept[];
  readonly titles: string[];
  /** The next write takes place, but its answer is lost. */
  loseAnswer(): void;
  /** The next write is lost on its way. */
  loseRequest(): void;
  /** Until it is mended, nothing can be written or read. */
  cut(): void;
  mend(): void;
  /** Called before each write; a test may wait or throw there. */
  beforeAppend: (n: number, entry: NewEntry) => Promise<void> | void;
  /** How often the log was probed. */
  probes: number;
  unfit: boolean;
  /** What a probe cannot ask. */
  unasked: string | undefined;
  paceMs: number;
}

export function makeMemoryPlace(): MemoryPlace {
  let next: 'answer' | 'request' | undefined;
  let isCut = false;
  const place: MemoryPlace = {
    entries: [],
    titles: [],
    beforeAppend: () => undefined,
    probes: 0,
    unfit: false,
    unasked: undefined,
    paceMs: 0,
    loseAnswer: () => {
      next = 'answer';
    },
    loseRequest: () => {
      next = 'request';
    },
    cut: () => {
      isCut = true;
    },
    mend: () => {
      isCut = false;
    },
    open: () => ({
      name: 'memory',
      paceMs: place.paceMs,
      unasked: place.unasked,
      probe: async () => {
        place.probes += 1;
        if (place.unfit) throw new Failure('state-backend-unfit', 'memory: of racing writes, more than one won.');
      },
      read: async (after, signal) => {
        if (signal?.aborted) throw new Failure('interrupted', 'The read was interrupted.');
        reach('state-unreadable');
        const newest = place.entries.findLastIndex(({ kind }) => kind === 'commit') + 1;
        const first = Math.max(after + 1, newest, 1);
        return place.entries.slice(first - 1).map(({ bytes }, index) => ({ n: first + index, bytes }));
      },
      entry: async (n): Promise<LogEntry | undefined> => {
        reach('state-unreadable');
        const kept = place.entries[n - 1];
        return kept && { n, bytes: kept.bytes };
      },
      append: async (n, entry) => {
        await place.beforeAppend(n, entry);
        // As a backend does that repeats a request and looks whose entry is there.
        for (let tries = 0; tries < 2; tries += 1) {
          reach('state-unwritable');
          const lost = next;
          next = undefined;
          if (lost === 'request') continue;
          if (n > place.entries.length + 1) throw new Error(`${n} would leave a gap after ${place.entries.length}`);
          if (n === place.entries.length + 1) {
            place.entries.push({ id: entry.id, kind: entry.kind, bytes: entry.bytes.slice() });
            place.titles.push(entry.title);
          }
          if (lost === undefined) return place.entries[n - 1]?.id === entry.id ? 'written' : 'taken';
        }
        throw new Failure('state-unwritable', 'memory cannot be written.');
      },
      close: async () => undefined,
    }),
  };

  function reach(code: 'state-unreadable' | 'state-unwritable'): void {
    if (isCut) throw new Failure(code, 'memory cannot be reached: connection refused.', { hint: 'Try again.' });
  }
  return place;
}
