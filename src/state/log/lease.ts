// The time that a lock surely lasts, counted by its holder. It runs from before the last successful write began, by the clock that
// went further. The monotonic one may stand still while a laptop sleeps, and the other may be set back.
// The setting for its length is in model/workspace/state-place.ts.

import type { Clock } from '../../model/outside.ts';

/** A moment on both clocks. */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

const maxMarginMs = 5000;

export class Lease {
  readonly #clock: Clock;
  readonly #ms: number;
  #from: Moment;
  /** The longest request in milliseconds that the guard was asked about. */
  #requestMs = 0;

  /** `seconds` of a lock whose entry was written after `from`. */
  constructor(clock: Clock, seconds: number, from: Moment) {
    this.#clock = clock;
    this.#ms = seconds * 1000;
    this.#from = from;
  }

  /** It was renewed by a write that began then. */
  renew(from: Moment): void {
    this.#from = from;
  }

  /** True if it is renewed early enough for a request of that length, which may begin a little later. */
  covers(requestMs: number): boolean {
    if (this.elapsed() + requestMs + this.marginMs > this.#ms) return false;
    this.#requestMs = Math.max(this.#requestMs, requestMs);
    return true;
  }

  /** True if a request that begins now ends in time. */
  holds(): boolean {
    return this.elapsed() + this.#requestMs < this.#ms;
  }

  isOver(): boolean {
    return this.elapsed() >= this.#ms;
  }

  elapsed(): number {
    const { wall, monotonic } = this.#from;
    return Math.max(this.#clock.now() - wall, this.#clock.monotonic() - monotonic);
  }

  /** The milliseconds between the question and the moment at which the bytes go out. */
  get marginMs(): number {
    return Math.min(maxMarginMs, this.#ms / 10);
  }

  /** The milliseconds without any other write after which it is time to renew it. */
  get beatMs(): number {
    return this.#ms / 3;
  }
}

export function momentOf(clock: Clock): Moment {
  return { wall: clock.now(), monotonic: clock.monotonic() };
}
