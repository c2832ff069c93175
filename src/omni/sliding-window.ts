// The rate limit: at most `rateLimit` requests in any sixty seconds, and at most `concurrency` requests at
// once. A token bucket would let nearly twice the limit through, so this keeps a log of the last minute. The service
// counts a request at some time between sending and answer: a place is therefore taken at sending and becomes free one
// window after the answer.

import type { Clock } from '../model/outside.ts';
import { Failure } from '../model/workspace/failure.ts';

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

export function makeSlidingWindow({ rateLimit, concurrency, clock, onWait }: SlidingWindowOptions): SlidingWindow {
  let open = 0;
  /** The times at which requests were answered, ascending. */
  let answered: number[] = [];
  let pausedUntil = 0;
  let reportedUntil = 0;
  /** Resolves when everyone who came before has a place, or has left. */
  let before = Promise.resolve();
  /** Lets the first in the queue look again. */
  let wake = (): void => undefined;

  function release(sent: boolean): void {
    open -= 1;
    if (sent && rateLimit > 0) answered.push(clock.monotonic());
    wake();
  }

  /** The time at which a request may be sent; infinity if it must wait for the answer to an open one. */
  function freeAt(now: number): number {
    if (open >= concurrency) return Number.POSITIVE_INFINITY;
    answered = answered.filter((at) => at + windowMilliseconds > now);
    if (rateLimit === 0 || open + answered.length < rateLimit) return Math.max(now, pausedUntil);
    const oldest = answered[open + answered.length - rateLimit];
    return Math.max(pausedUntil, oldest === undefined ? Number.POSITIVE_INFINITY : oldest + windowMilliseconds);
  }

  /** Several answers may ask for a pause one shortly after the other: only one that is noticeably longer is new. */
  function reportWait(at: number, now: number): void {
    if (at === Number.POSITIVE_INFINITY || at - now < noticeable || at < reportedUntil + noticeable) return;
    reportedUntil = at;
    onWait?.(
      (at - now) / 1000,
      pausedUntil === at ? 'the service asked for a pause' : `${rateLimit} requests a minute`,
    );
  }

  /** Only the first in the queue waits here. */
  async function waitForPlace(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      if (signal?.aborted) throw interrupted();
      const now = clock.monotonic();
      const at = freeAt(now);
      if (at <= now) return;
      reportWait(at, now);
      const off = new AbortController();
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
        signal?.addEventListener('abort', () => resolve(), { signal: off.signal });
      });
      await (at === Number.POSITIVE_INFINITY ? woken : Promise.race([woken, clock.sleep(at - now, off.signal)]));
      off.abort();
    }
  }

  return {
    take: async (signal) => {
      const turn = before;
      let leave = (): void => undefined;
      const hasLeft = new Promise<void>((resolve) => {
        leave = resolve;
      });
      before = turn.then(() => hasLeft);
      try {
        await unlessAborted(turn, signal);
        await waitForPlace(signal);
        open += 1;
        return release;
      } finally {
        leave();
      }
    },
    pause: (milliseconds) => {
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + milliseconds);
    },
  };
}

/** The failure of a request that the signal of a run prevented. */
export function interrupted(): Failure {
  return new Failure('interrupted', 'Interrupted before the request was sent.');
}

/** Resolves when the turn comes, or at once when the run is interrupted. */
async function unlessAborted(turn: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return turn;
  const off = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { signal: off.signal });
  });
  await Promise.race([turn, aborted]);
  off.abort();
}

/**
 * The seconds until the last of `requests` may be sent, not counting the time that the requests themselves take: the
 * first `rateLimit` go at once, each further batch a window later. A `rateLimit` of 0 means no limit.
 */
export function secondsFor(requests: number, rateLimit: number): number {
  if (requests <= 0 || rateLimit <= 0) return 0;
  return Math.floor((requests - 1) / rateLimit) * rateWindowSeconds;
}
