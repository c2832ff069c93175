// The parts that all backends share: how to open one, when to try again, and the failures of an unusable place.

import type { Clock, Variables } from '../../model/outside.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { SharedPlace } from '../../model/workspace/state-place.ts';
import { unreadable } from '../format/damage.ts';

export interface LogOptions<P extends SharedPlace = SharedPlace> {
  readonly place: P;
  /** The places, this one included, that are read at the same time: what each remote is asked for is asked for all of them. */
  readonly together?: readonly SharedPlace[] | undefined;
  /** The folder of the workspace, absolute. */
  readonly root: string;
  readonly clock: Clock;
  readonly environment: Variables;
  /** Ends what only reads. */
  readonly signal?: AbortSignal | undefined;
}

/** The kind of access that the place refused. */
export type Access = 'read' | 'write';

/** `why` ends a sentence. */
export function inaccessible(access: Access, name: string, why: string, hint: string): Failure {
  if (access === 'read') return unreadable(name, why, hint);
  return new Failure('state-unwritable', `${name} cannot be written: ${why}.`, { hint });
}

/** The failure of a place that cannot be used at all. `why` ends a sentence. */
export function unfit(name: string, why: string, hint: string): Failure {
  return new Failure('state-backend-unfit', `${name} cannot keep a shared state: ${why}.`, { hint });
}

/** The place takes no entry of this size, so it is surely not there. */
export class EntryTooLarge extends Failure {
  constructor({ code, message, hint }: Failure) {
    super(code, message, { hint });
  }
}

/** A signal asked the process to end. */
export function interrupted(): Failure {
  return new Failure('interrupted', 'Interrupted while the state was read or written.');
}

interface RetryOptions {
  readonly clock: Clock;
  /** Including the first. */
  readonly tries: number;
  /** Each further pause is twice as long. */
  readonly firstPauseMs: number;
  /** The milliseconds after which no other try begins; if undefined, only `tries` counts. */
  readonly longestMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface WriteAttempt<T> {
  readonly value: T;
  /** True if another try may bring a better one. */
  readonly mayRetry: boolean;
}

/** Returns the value of the last try. Throws Failure interrupted if the signal aborts before the first; later it ends the tries. */
export async function retrying<T>(options: RetryOptions, attempt: () => Promise<WriteAttempt<T>>): Promise<T> {
  const { clock, tries, firstPauseMs, longestMs = Number.POSITIVE_INFINITY, signal } = options;
  if (signal?.aborted) throw interrupted();
  const started = clock.monotonic();
  for (let count = 1, pause = firstPauseMs; ; count += 1, pause *= 2) {
    const { value, mayRetry } = await attempt();
    const isOver = count === tries || clock.monotonic() - started + pause > longestMs;
    if (!mayRetry || isOver || signal?.aborted) return value;
    await clock.sleep(pause, signal);
    if (signal?.aborted) return value;
  }
}
