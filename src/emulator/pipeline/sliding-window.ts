// The rate limit: at most `limit` requests per token in any sixty seconds. A refused request does not count.

import { Rejection } from './answer.ts';
import type { Step } from './exchange.ts';

const windowMilliseconds = 60_000;

/** A limit of 0 allows everything. */
export function limitRate(limit: number, now: () => number): Step {
  const taken = new Map<string, number[]>();
  return ({ caller }) => {
    if (limit === 0 || caller === undefined) return undefined;
    const time = now();
    const recent = (taken.get(caller.token) ?? []).filter((at) => at > time - windowMilliseconds);
    taken.set(caller.token, recent);
    const oldest = recent[0];
    if (oldest !== undefined && recent.length >= limit) {
      const seconds = Math.ceil((oldest + windowMilliseconds - time) / 1000);
      throw new Rejection(429, `Too many requests: ${limit} a minute are allowed`, { 'Retry-After': String(seconds) });
    }
    recent.push(time);
    return undefined;
  };
}
