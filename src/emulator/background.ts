// The emulator's work between requests: jobs take their steps, and events and deliveries are posted. Timers trigger it;
// with a manual clock the test triggers it.

import { setTimeout as wait } from 'node:timers/promises';
import { nextStepAt, runJobs } from './ai-jobs.ts';
import type { Store } from './store.ts';
import { makeOutbox, type OutboxOptions } from './webhooks.ts';

export interface BackgroundOptions extends Omit<OutboxOptions, 'onDone'> {
  /** The duration of a job in milliseconds; 6,000 by default. */
  readonly jobDurationMs?: number;
}

export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

interface Background {
  /** Checks whether something is due. Does nothing without timers. */
  poke(): void;
  /** Does everything that is due now, including follow-up work; resolves when it is done. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

const defaultDurationMs = 6000;

/** Without `sleep` nothing happens by itself. */
export function makeBackground(store: Store, options: BackgroundOptions, sleep: Sleep | undefined): Background {
  const duration = options.jobDurationMs ?? defaultDurationMs;
  const outbox = makeOutbox(store, { ...options, onDone: poke });
  let timer: AbortController | undefined;
  let closed = false;

  function runDue(): boolean {
    const ran = runJobs(store, duration);
    return outbox.sendDue() || ran;
  }

  function poke(): void {
    if (sleep === undefined || closed) return;
    runDue();
    arm(sleep);
  }

  function arm(wait: Sleep): void {
    timer?.abort();
    timer = undefined;
    const due = [nextStepAt(store, duration), outbox.nextAt()].filter((at) => at !== undefined);
    if (due.length === 0) return;
    const mine = new AbortController();
    timer = mine;
    void wait(Math.max(0, Math.min(...due) - store.now()), mine.signal).then(() => {
      if (!mine.signal.aborted) poke();
    });
  }

  return {
    poke,
    tick: async () => {
      while (runDue()) await outbox.settled();
      await outbox.settled();
    },
    close: async () => {
      closed = true;
      timer?.abort();
      await outbox.close();
    },
  };
}

/** Does not keep the process alive. */
export const sleepByTimer: Sleep = (milliseconds, signal) =>
  wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
