// Sends requests: several at a time, a change to its end, and again what is too new.

import type { Clock } from '../model/outside.ts';
import type { NotRead } from '../model/plan/observation.ts';
import { answerUnreadable, Failure, gotNoAnswer, type ServiceError, statusOf } from '../model/workspace/failure.ts';
import type { CallOptions } from '../omni/api.ts';
import { interrupted } from '../omni/sliding-window.ts';

/** Works on several items, up to `count` at a time, and starts them in order. */
export async function inParallel<T>(
  items: Iterable<T>,
  count: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: Math.max(1, count) }, worker));
}

export interface OneChange {
  /** The options for requests; their signal prevents the start. */
  readonly call: CallOptions;
  /** Aborts if even a change that has started must not be finished. */
  readonly ended?: AbortSignal;
}

/**
 * A change that somebody interrupts is not started while only questions were asked; once a request that changes something
 * was sent, all of it is finished, waits and repeats included. `work` sends its requests with the options that it gets.
 */
export async function finishWhatIsSent<T>(
  { call, ended }: OneChange,
  work: (call: CallOptions) => Promise<T>,
): Promise<T> {
  const off = new AbortController();
  const end = () => off.abort();
  const signals = [call.signal, ended];
  for (const signal of signals) {
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  }
  const onRequest: CallOptions['onRequest'] = (method) => {
    if (method !== 'GET') call.signal?.removeEventListener('abort', end);
    call.onRequest?.(method);
  };
  try {
    return await work({ ...call, signal: off.signal, onRequest });
  } finally {
    for (const signal of signals) signal?.removeEventListener('abort', end);
  }
}

/** `what` is changes or deliveries, and `underWay` words about what is under way. */
export function interruptedWords(what: string, underWay: readonly string[]): string {
  const finished = underWay.length === 0 ? '' : ` Finishing first: ${underWay.join(', ')}.`;
  return `Interrupted: no more ${what} are started.${finished} Interrupt again to leave at once; the journal keeps what was started.`;
}

/** Returns undefined if nothing has the id. */
export async function unlessGone<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/** Returns undefined if the question is left open, and hands the reason to `openBy`. */
export async function unlessOpen<T>(request: Promise<T>, openBy?: (error: Failure) => void): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (!leavesOpen(error)) throw error;
    openBy?.(error);
    return undefined;
  }
}

/** True if a question about one resource was refused, or its answer cannot be read. Asked later, it would end in the same way. */
export function refusesOne(error: unknown): error is Failure {
  if (!(error instanceof Failure)) return false;
  const status = statusOf(error);
  if (status === undefined) return (error.cause as Partial<ServiceError> | undefined)?.code === answerUnreadable;
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}

/**
 * True if a failed question is left open, which says nothing about other questions: it was refused, the service failed over it, or
 * nobody can read the answer. A look goes on, and says what it could not tell.
 */
export function leavesOpen(error: unknown): error is Failure {
  return refusesOne(error) || (statusOf(error) ?? 0) >= 500;
}

/** The verdict on what a failed question was about. Throws the error if it is about the run: its token, or an interruption. */
export function notRead(error: unknown): NotRead {
  const isRefused = leavesOpen(error);
  if (!(error instanceof Failure) || !(isRefused || gotNoAnswer(error) || statusOf(error) === 429)) throw error;
  return { is: 'not-read', code: error.code, message: error.message, isRefused };
}

export interface Age {
  readonly clock: Clock;
  /** ISO 8601; undefined counts as long ago. */
  readonly createdAt: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const newMs = 10_000;
const pauseMs = 1000;
/** A list may lag behind what an id finds. */
const listLagMs = 30_000;
const listPauseMs = 3000;

/** Milliseconds that are left until something counts as old; at least 0. */
function newFor({ clock, createdAt }: Age, newMs: number): number {
  // The service's clock may be ahead of ours, so it was created in the future.
  const age = createdAt === undefined ? newMs : Math.max(0, clock.now() - Date.parse(createdAt));
  return Math.max(0, newMs - age);
}

/**
 * The service may take some seconds until it finds what it has just created. A request that finds nothing is repeated
 * until that is ten seconds old; then it counts as gone. Throws what the request throws, and Failure interrupted where
 * that is not known yet.
 */
export async function retryWhileNew<T>(age: Age, request: () => Promise<T>): Promise<T> {
  const { clock, signal } = age;
  const until = clock.monotonic() + newFor(age, newMs);
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const isNew = statusOf(error) === 404 && clock.monotonic() < until;
      if (!isNew) throw error;
      if (signal?.aborted) throw interrupted();
      await clock.sleep(Math.min(pauseMs, until - clock.monotonic()), signal);
    }
  }
}

/** Like retryWhileNew, for a list, until the item is thirty seconds old: `look` answers undefined without it. */
export async function untilListed<T>(age: Age, look: () => Promise<T | undefined>): Promise<T | undefined> {
  const { clock, signal } = age;
  const until = clock.monotonic() + newFor(age, listLagMs);
  for (;;) {
    const found = await look();
    if (found !== undefined || clock.monotonic() >= until) return found;
    if (signal?.aborted) throw interrupted();
    await clock.sleep(Math.min(listPauseMs, until - clock.monotonic()), signal);
  }
}
