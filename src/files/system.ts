// The clock, the randomness and the output of this process.

import { closeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Clock, Randomness } from '../model/outside.ts';

/** The longest delay that Node supports; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    setTimeout(Math.min(Math.max(0, milliseconds), maxTimerMs), undefined, { signal }).catch(() => undefined),
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

/**
 * Node opens a stream when it is first asked for, which takes longer than to print a version. A stream that cannot be written
 * ends nothing: the work goes on, and what follows is left out. A reader may go away (`almanac plan | head`); after anything
 * else, such as a full disk or a terminal that is gone, the exit code says that the output is not complete.
 */
export function standardOutput(name: 'stdout' | 'stderr'): StandardOutput {
  const reading = new AbortController();
  let opened: NodeJS.WriteStream | undefined;
  const stream = (): NodeJS.WriteStream => {
    opened ??= process[name].on('error', lose);
    return opened;
  };
  const lose = ({ code }: NodeJS.ErrnoException) => {
    if (reading.signal.aborted) return;
    reading.abort();
    if (code === 'EPIPE') return;
    process.once('exit', failAtExit);
    if (code === 'EIO') leaveTerminal();
    const message = `error: stdout cannot be written (${code}), so the output is not complete.\n`;
    if (name === 'stdout') standardOutput('stderr').write(message);
  };
  return {
    write: (text) => {
      if (reading.signal.aborted) return;
      try {
        stream().write(text);
      } catch (error) {
        lose(error as NodeJS.ErrnoException);
      }
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

/** Node wants to reset the terminal when it ends, and aborts where that is gone, unless its descriptors are closed. */
export function leaveTerminal(): void {
  process.once('exit', () => {
    for (const descriptor of [0, 1, 2]) {
      try {
        closeSync(descriptor);
      } catch {}
    }
  });
}

/** Sets exit code 1, except after a signal, which has an exit code of its own. */
function failAtExit(): void {
  if (Number(process.exitCode ?? 0) < 128) process.exitCode = 1;
}
