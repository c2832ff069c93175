// Clocks without waiting: one that a test moves by hand, and one on which every sleep passes at once.

import type { Clock } from '../../src/model/outside.ts';

export interface FakeClock extends Clock {
  /** Moves on, waking sleepers in their order, and lets what they started run. */
  advance(milliseconds: number): Promise<void>;
  /** Moves from sleeper to sleeper until the work ends. */
  run<T>(work: Promise<T>): Promise<T>;
  /** How many sleep. */
  sleepers(): number;
  /** Sets the time of day back; the monotonic clock and the sleepers go on. */
  setBack(milliseconds: number): void;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export function makeFakeClock(start = 1_700_000_000_000): FakeClock {
  let time = start;
  let behind = 0;
  const sleeping = new Set<Sleeper>();

  return {
    now: () => time - behind,
    monotonic: () => time,
    sleepers: () => sleeping.size,
    setBack: (milliseconds) => {
      behind += milliseconds;
    },
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) {
          resolve();
          return;
        }
        const wake = (): void => {
          sleeping.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { at: time + Math.max(0, milliseconds), wake };
        sleeping.add(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
      }),
    run: async (work) => {
      let isOver = false;
      const over = (): void => {
        isOver = true;
      };
      work.then(over, over);
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        if (isOver) return work;
        const [first] = [...sleeping].sort((a, b) => a.at - b.at);
        if (first === undefined) continue;
        time = Math.max(time, first.at);
        first.wake();
      }
    },
    advance: async (milliseconds) => {
      const end = time + milliseconds;
      await settle();
      for (;;) {
        const due = [...sleeping].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        time = Math.max(time, due.at);
        due.wake();
        await settle();
      }
      time = end;
    },
  };
}

export interface InstantClock extends Clock {
  readonly slept: readonly number[];
}

/** Every sleep passes at once and is written down, in milliseconds. */
export function makeInstantClock(start = 1_700_000_000_000): InstantClock {
  let time = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => time,
    monotonic: () => time,
    sleep: async (milliseconds, signal) => {
      if (signal?.aborted) return;
      slept.push(milliseconds);
      time += milliseconds;
    },
  };
}

/** Lets everything that is ready run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
