// Does work under the lock of the state: waits for it, says who holds it, and gives it back whatever happens.

import type { Clock, Reporter } from '../model/outside.ts';
import { Failure } from '../model/workspace/failure.ts';
import { takenOverIn } from '../model/workspace/lock.ts';
import type { LockedStore, StateStore } from './state-store.ts';

export interface LockWait {
  /** The name of this run in the lock. */
  readonly command: string;
  /** Seconds to wait for a lock that is held. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Called once before waiting: who holds the lock, and when it may be taken over. */
  readonly onWait: (message: string) => void;
  /** Called with remarks made while locking. */
  readonly onNote: (message: string) => void;
}

interface LockPorts {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly reporter: Reporter;
}

/** `timeout` in seconds. */
export function lockWait(command: string, timeout: number, { clock, signal, reporter }: LockPorts): LockWait {
  return {
    command,
    timeout,
    clock,
    signal,
    onWait: (why) => reporter.emit({ type: 'waiting', seconds: timeout, why }),
    onNote: (message) => reporter.emit({ type: 'note', message }),
  };
}

const pauseMs = 1000;

/**
 * Throws Failure state-locked if the lock is held and the time is up, interrupted if the signal came before the lock was
 * free, and what `work` throws.
 */
export async function withLock<T>(
  store: StateStore,
  wait: LockWait,
  work: (locked: LockedStore) => Promise<T>,
): Promise<T> {
  const locked = await waitForLock(store, wait);
  try {
    for (const message of locked.notes) wait.onNote(message);
    return await work(locked);
  } finally {
    await locked.release();
  }
}

async function waitForLock(
  store: StateStore,
  { command, timeout, clock, signal, onWait }: LockWait,
): Promise<LockedStore> {
  const until = clock.monotonic() + timeout * 1000;
  for (let isFirst = true; ; isFirst = false) {
    if (signal?.aborted) {
      const hint = 'Nothing was changed. Run the command again.';
      throw new Failure('interrupted', `Interrupted before ${store.name} was locked.`, { hint });
    }
    try {
      return await store.lock(command, signal);
    } catch (error) {
      const isLocked = error instanceof Failure && error.code === 'state-locked';
      if (!isLocked || clock.monotonic() >= until) throw error;
      if (isFirst) onWait(await whyWaiting(error, store));
      await clock.sleep(Math.min(store.pollMs ?? pauseMs, until - clock.monotonic()), signal);
    }
  }
}

/** The words of the refusal, and for how long at most a run that broke off keeps the lock. */
async function whyWaiting({ message }: Failure, store: StateStore): Promise<string> {
  const held = await store.lockHolder().catch(() => undefined);
  return held?.expiresIn === undefined ? message : `${message} ${takenOverIn(held.expiresIn)}`;
}
