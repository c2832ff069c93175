// Whether the CI run of a lock is known to be over, while another one waits for that lock. GitHub can call a run
// completed whose machine it has lost, and whose process still works (actions/runner#3539). So the word of GitHub alone
// takes no lock: half a lease must pass after it without a sign of that run. A run that lives and reaches the place gives
// one each third of its lease, and half a lease is longer than any request, because a lease has at least twice the time
// of one and half a minute more.

import type { LogHolder } from '../../../parse/state/fold-log.ts';
import type { Clock } from '../../../ports/clock.ts';

/** True only if it is certain. Never throws. */
export type IsRunOver = (runUrl: string, signal?: AbortSignal) => Promise<boolean>;

const pauseMs = 30_000;

export class RunWatch {
  readonly #clock: Clock;
  readonly #isOver: IsRunOver | undefined;
  #askedAt: number | undefined;
  /** The lock whose run is over, and since when that is known. */
  #known: { readonly run: string; readonly since: number } | undefined;

  constructor(clock: Clock, isOver: IsRunOver | undefined) {
    this.#clock = clock;
    this.#isOver = isOver;
  }

  /** Asks at most every 30 s. */
  async look({ run, info: { runUrl } }: LogHolder, signal?: AbortSignal): Promise<void> {
    if (this.#isOver === undefined || runUrl === undefined || this.#known?.run === run) return;
    const now = this.#clock.monotonic();
    if (this.#askedAt !== undefined && now - this.#askedAt < pauseMs) return;
    this.#askedAt = now;
    if (await this.#isOver(runUrl, signal)) this.#known = { run, since: this.#clock.monotonic() };
  }

  /** How many milliseconds of silence end this lock. `quiet`: those that have passed. */
  enough({ run, lease }: LogHolder, quiet: number): number {
    const whole = lease * 1000;
    if (this.#known?.run !== run) return whole;
    const unknownFor = quiet - (this.#clock.monotonic() - this.#known.since);
    return Math.min(whole, Math.max(0, unknownFor) + whole / 2);
  }
}
