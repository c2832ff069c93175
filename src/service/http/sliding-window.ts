// The rate limit: at most `rateLimit` requests in any sixty seconds, and at most `concurrency` requests at
// once. A token bucket would let nearly twice the limit through, so this keeps a log of the last minute. The service
// counts a request at some time between sending and answer: a place is therefore taken at sending and becomes free one
// window after the answer.

import type { Clock } from '../../model/outside.ts';
import { Failure } from '../../model/workspace/failure.ts';

export interface SlidingWindow {
  /** Waits until a request may be sent, first come, first served. Throws Failure interrupted. */
  take(signal?: AbortSignal): Promise<Release>;
  /** Sends nothing for a while; in milliseconds. */
  pause(milliseconds: number): void;
}

/** Call once, after the answer or the failure. A request that was certainly not sent takes no place. */
export type Release = (sent: boolean) => void;

export interface SlidingWindowOptions {
  /** 0 for no limit. */
  readonly rateLimit: number;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly onWait?: (seconds: number, why: string) => void;
}

/** The length of the window that the service counts requests in. */
export const rateWindowSeconds = 60;

/** Slightly longer: timers are rounded, and the service's clock may run slower than ours. */
const windowMilliseconds = rateWindowSeconds * 1000 + 20;

/** The shortest wait that a person would notice. */
export const noticeable = 1000;

interface Waiter {
  readonly grant: (release: Release) => void;
}

export function makeSlidingWindow({ rateLimit, concurrency, clock, onWait }: SlidingWindowOptions): SlidingWindow {
  const queue: Waiter[] = [];
  const alarm = makeAlarm(clock, pump);
  let open = 0;
  /** The times at which requests were answered, ascending. */
  let answered: number[] = [];
  let pausedUntil = 0;
  let reportedUntil = 0;

  function pump(): void {
    while (queue.length > 0 && open < concurrency) {
      const now = clock.monotonic();
      const at = freeAt(now);
      if (at > now) {
        if (at < Number.POSITIVE_INFINITY && alarm.set(at, now)) reportWait(at, now);
        return;
      }
      open += 1;
      queue.shift()?.grant(release);
    }
    if (queue.length === 0) alarm.silence();
  }

  function release(sent: boolean): void {
    open -= 1;
    if (sent && rateLimit > 0) answered.push(clock.monotonic());
    pump();
  }

  /** When a request may be sent; infinity if it must wait for the answer to an open one. */
  function freeAt(now: number): number {
    answered = answered.filter((at) => at + windowMilliseconds > now);
    if (rateLimit === 0 || open + answered.length < rateLimit) return Math.max(now, pausedUntil);
    const oldest = answered[open + answered.length - rateLimit];
    return Math.max(pausedUntil, oldest === undefined ? Number.POSITIVE_INFINITY : oldest + windowMilliseconds);
  }

  function reportWait(at: number, now: number): void {
    if (at - now < noticeable || at <= reportedUntil) return;
    reportedUntil = at;
    onWait?.(
      (at - now) / 1000,
      pausedUntil === at ? 'the service asked for a pause' : `${rateLimit} requests a minute`,
    );
  }

  return {
    take: (signal) => {
      const turn = queueUp(queue, signal, pump);
      pump();
      return turn;
    },
    pause: (milliseconds) => {
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + milliseconds);
    },
  };
}

/** Waits in the queue for its turn. On interruption it leaves the queue and calls `left`. */
function queueUp(queue: Waiter[], signal: AbortSignal | undefined, left: () => void): Promise<Release> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      const index = queue.indexOf(waiter);
      if (index >= 0) queue.splice(index, 1);
      left();
      reject(new Failure('interrupted', 'Interrupted before the request was sent.'));
    };
    const waiter: Waiter = {
      grant: (release) => {
        signal?.removeEventListener('abort', abort);
        resolve(release);
      },
    };
    if (signal?.aborted) {
      abort();
      return;
    }
    signal?.addEventListener('abort', abort, { once: true });
    queue.push(waiter);
  });
}

interface Alarm {
  /** Takes times of the monotonic clock. False if it already rings earlier. */
  set(at: number, now: number): boolean;
  silence(): void;
}

/** One timer that rings at the earliest of the times it was set to. */
function makeAlarm(clock: Clock, ring: () => void): Alarm {
  let pending: { readonly at: number; readonly off: AbortController } | undefined;

  function silence(): void {
    pending?.off.abort();
    pending = undefined;
  }

  return {
    set: (at, now) => {
      if (pending !== undefined && pending.at <= at && pending.at > now) return false;
      silence();
      const mine = { at, off: new AbortController() };
      pending = mine;
      void clock.sleep(at - now, mine.off.signal).then(() => {
        if (pending !== mine) return;
        pending = undefined;
        ring();
      });
      return true;
    },
    silence,
  };
}

/**
 * The seconds until the last of `requests` may be sent, not counting the time that the requests themselves take: the
 * first `rateLimit` go at once, each further batch a window later. A `rateLimit` of 0 means no limit.
 */
export function secondsFor(requests: number, rateLimit: number): number {
  if (requests <= 0 || rateLimit <= 0) return 0;
  return Math.floor((requests - 1) / rateLimit) * rateWindowSeconds;
}
