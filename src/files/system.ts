// The clock, the randomness and the output of this process.

import { setTimeout } from 'node:timers/promises';
import type { Clock, Randomness } from '../model/outside.ts';

/** The longest delay that Node supports; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    setTimeout(Math.min(Math.max(0, milliseconds), longestTimer), undefined, { signal }).catch(() => undefined),
};

export const systemRandomness: Randomness = {
  uuid: () => crypto.randomUUID(),
  bytes: (count) => Buffer.from(crypto.getRandomValues(new Uint8Array(count))).toString('base64'),
};

const defaultWidth = 80;

export interface StandardOutput {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Columns. */
  readonly width: number;
  /** Aborts when the reader has gone. */
  readonly closed: AbortSignal;
}

/** Node opens a stream when it is first asked for, which takes longer than to print a version. */
export function standardOutput(name: 'stdout' | 'stderr'): StandardOutput {
  const reading = new AbortController();
  let opened: NodeJS.WriteStream | undefined;
  const stream = (): NodeJS.WriteStream => {
    // A reader may go away (`almanac plan | head`); that is not an error.
    opened ??= process[name].on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      reading.abort();
    });
    return opened;
  };
  return {
    write: (text) => {
      stream().write(text);
    },
    get isTerminal() {
      return stream().isTTY === true;
    },
    // A terminal that doesn't know its width says 0.
    get width() {
      return (stream().isTTY && stream().columns) || defaultWidth;
    },
    closed: reading.signal,
  };
}
