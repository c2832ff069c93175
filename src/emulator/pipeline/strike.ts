// Decides which requests, or which runs of schedules, a fault strikes. Each fault counts its own matches and draws its own random numbers, so that
// faults do not affect each other.

import { type Fault, onPattern } from './fault.ts';

export interface Struck {
  readonly method: string;
  /** Relative to `/api`. */
  readonly path: string;
}

/** Call it once per request. */
export type Strikes = (request: Struck) => boolean;

export function strikesOf(fault: Fault): Strikes {
  const [, method, path] = onPattern.exec(fault.on ?? '') ?? [];
  const draw = randomFrom(fault.seed ?? 1);
  let count = 0;
  return (request) => {
    if (method !== undefined && request.method !== method) return false;
    if (path !== undefined && !isBelow(request.path, path)) return false;
    count++;
    if (fault.at !== undefined) return count === fault.at;
    if (fault.every !== undefined) return count % fault.every === 0;
    return fault.p === undefined || draw() < fault.p;
  };
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
