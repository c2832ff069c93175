// The rate limit: at most `rateLimit` requests per token in any sixty seconds, and at most `concurrency` requests at
// once. A token bucket would let nearly twice the limit through, so this keeps a log of the last minute. The service
// counts a request at some time between sending and answer: a place is therefore taken at sending and becomes free one
// window after the answer.

import { rateWindowSeconds } from '../../model/values/rate.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Clock } from '../../ports/clock.ts';
import { makeAlarm } from './alarm.ts';

export interface SlidingWindow {
  /** Waits until a token may send, first come, first served. Throws Failure interrupted. */
  take(signal?: AbortSignal): Promise<Lease>;
  /** Sends nothing with the token for so many milliseconds. */
  pause(token: string, milliseconds: number): void;
}

export interface Lease {
  readonly token: string;
  /** Call once, after the answer or the failure. A request that was certainly not sent takes no place. */
  release(sent: boolean): void;
}

export interface SlidingWindowOptions {
  readonly tokens: readonly string[];
  /** 0 for no limit. */
  readonly rateLimit: number;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly onWait?: (seconds: number, why: string) => void;
}

/** Slightly longer: timers are rounded, and the service's clock may run slower than ours. */
const windowMilliseconds = rateWindowSeconds * 1000 + 20;

/** The shortest wait that a person would notice. */
export const noticeable = 1000;

interface Lane {
  readonly token: string;
  open: number;
  /** The times at which requests were answered, ascending. */
  answered: number[];
  pausedUntil: number;
}

interface Waiter {
  readonly grant: (lease: Lease) => void;
}

export function makeSlidingWindow(options: SlidingWindowOptions): SlidingWindow {
  const { rateLimit, concurrency, clock } = options;
  const lanes: readonly Lane[] = options.tokens.map((token) => ({ token, open: 0, answered: [], pausedUntil: 0 }));
  const queue: Waiter[] = [];
  const alarm = makeAlarm(clock, pump);
  let reportedUntil = 0;

  function pump(): void {
    while (queue.length > 0 && underWay(lanes) < concurrency) {
      const now = clock.monotonic();
      const { lane, at } = firstFree(lanes, rateLimit, now);
      if (at > now) {
        if (at < Number.POSITIVE_INFINITY && alarm.set(at, now)) reportWait(lane, at, now);
        return;
      }
      queue.shift()?.grant(leaseOf(lane));
    }
    if (queue.length === 0) alarm.silence();
  }

  function leaseOf(lane: Lane): Lease {
    lane.open += 1;
    return {
      token: lane.token,
      release: (sent) => {
        lane.open -= 1;
        if (sent && rateLimit > 0) lane.answered.push(clock.monotonic());
        pump();
      },
    };
  }

  function reportWait(lane: Lane, at: number, now: number): void {
    if (at - now < noticeable || at <= reportedUntil) return;
    reportedUntil = at;
    const why = lane.pausedUntil === at ? 'the service asked for a pause' : `${rateLimit} requests a minute`;
    options.onWait?.((at - now) / 1000, why);
  }

  return {
    take: (signal) => {
      const lease = queueUp(queue, signal, pump);
      pump();
      return lease;
    },
    pause: (token, milliseconds) => {
      const until = clock.monotonic() + milliseconds;
      for (const lane of lanes) if (lane.token === token) lane.pausedUntil = Math.max(lane.pausedUntil, until);
    },
  };
}

function underWay(lanes: readonly Lane[]): number {
  return lanes.reduce((open, lane) => open + lane.open, 0);
}

/** The lane that may send first, and when; among several, the least used one. */
function firstFree(lanes: readonly Lane[], rateLimit: number, now: number): { lane: Lane; at: number } {
  const free = lanes.map((lane) => {
    const at = freeAt(lane, rateLimit, now);
    return { lane, at, used: lane.open + lane.answered.length };
  });
  return free.reduce((a, b) => (b.at < a.at || (b.at === a.at && b.used < a.used) ? b : a));
}

/** When a lane may send; infinity if it must wait for the answer to an open request. */
function freeAt(lane: Lane, rateLimit: number, now: number): number {
  lane.answered = lane.answered.filter((at) => at + windowMilliseconds > now);
  if (rateLimit === 0 || lane.open + lane.answered.length < rateLimit) return Math.max(now, lane.pausedUntil);
  const oldest = lane.answered[lane.open + lane.answered.length - rateLimit];
  return Math.max(lane.pausedUntil, oldest === undefined ? Number.POSITIVE_INFINITY : oldest + windowMilliseconds);
}

/** Waits in the queue for a lease. On interruption it leaves the queue and calls `left`. */
function queueUp(queue: Waiter[], signal: AbortSignal | undefined, left: () => void): Promise<Lease> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      const index = queue.indexOf(waiter);
      if (index >= 0) queue.splice(index, 1);
      left();
      reject(new Failure('interrupted', 'Interrupted before the request was sent.'));
    };
    const waiter: Waiter = {
      grant: (lease) => {
        signal?.removeEventListener('abort', abort);
        resolve(lease);
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
