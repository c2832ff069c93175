// Decides which requests may be sent again, and when. A request that the service certainly did not process is repeated
// whatever its method. One that it may have processed is repeated only if that is safe: a POST only where its operation says `repeatable`. Decisions use
// status and error code, never the text of a message. How often is handed in: the options of commands/base/command.ts.

import { httpDate } from '../http/exchange.ts';
import type { Clock } from '../model/outside.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { ApiSettings } from './api.ts';
import { interrupted, noticeable } from './sliding-window.ts';

/** The result of one attempt. */
export type AttemptResult<T> =
  | { readonly outcome: 'done'; readonly value: T }
  /** An answer that a repeat would not change. */
  | { readonly outcome: 'refused'; readonly failure: Failure }
  /** Another request was at work on the same thing, and the service asks to send this one again. */
  | { readonly outcome: 'conflict'; readonly failure: Failure }
  /** 429, or 503 with Retry-After. `pause`: how long all requests stop, in milliseconds. */
  | {
      readonly outcome: 'not-processed';
      readonly failure: Failure;
      readonly retryAfter: number | undefined;
      readonly pause: (milliseconds: number) => void;
    }
  /** `isAbsent`: nothing has answered in this run, so the address is more likely wrong than the service away. */
  | { readonly outcome: 'unsent'; readonly failure: Failure; readonly isAbsent?: boolean }
  | { readonly outcome: 'lost'; readonly failure: Failure };

export interface RetryPolicy extends Pick<ApiSettings, 'maxAttempts' | 'maxWait' | 'onWait'> {
  readonly clock: Clock;
  /** Returns a number from 0 to 1, to spread the waits of many clients. */
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
}

export function judgeStatus(
  status: number,
  retryAfter: number | undefined,
  repeating: RepeatEffect,
): AttemptResult<never>['outcome'] {
  // A browser would now read what a POST has made. 307 and 308 ask to send the request itself to another address.
  if (repeating === 'once' && status >= 301 && status <= 303) return 'lost';
  if (status >= 200 && status < 300) return 'done';
  if (status === 429 || (status === 503 && retryAfter !== undefined)) return 'not-processed';
  // A gateway may answer 408 and 425 after it has passed the request on.
  return status >= 500 || status === 408 || status === 425 ? 'lost' : 'refused';
}

/** The seconds of a Retry-After header: a number, or an HTTP date relative to the answer's own Date. */
export function readRetryAfter(header: string | undefined, date: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const until = httpDate(text);
  return until === undefined ? undefined : Math.max(0, (until - (httpDate(date?.trim() ?? '') ?? now)) / 1000);
}

const maxConflicts = 2;

/** How often an address is tried at which nothing has answered yet. */
const attemptsAtFirst = 2;

/** The effect of a repeated request: `reads` has none, `repeatable` sets the same again, `once` makes a second thing. */
export type RepeatEffect = 'reads' | 'repeatable' | 'once';

/** Repeats until an attempt succeeds, cannot be repeated, or hits a cap. `attempt` waits for the rate limit itself. */
export async function repeat<T>(
  repeating: RepeatEffect,
  attempt: () => Promise<AttemptResult<T>>,
  policy: RetryPolicy,
): Promise<T> {
  const { clock, maxAttempts, maxWait, signal } = policy;
  let doubtful = false;
  let conflicts = 0;
  for (let count = 1; ; count++) {
    const result = await attempt().catch((error: unknown) => {
      throw error instanceof Failure ? inDoubt(error, doubtful) : error;
    });
    if (result.outcome === 'done') return result.value;
    if (result.outcome === 'refused') throw inDoubt(result.failure, doubtful);
    if (result.outcome === 'lost') {
      if (repeating === 'once') throw result.failure;
      doubtful ||= repeating !== 'reads';
    }
    if (result.outcome === 'conflict') conflicts++;
    const isAbsent = result.outcome === 'unsent' && result.isAbsent === true;
    if (isAbsent && count >= attemptsAtFirst) throw inDoubt(result.failure, doubtful);
    if (count >= maxAttempts || conflicts > maxConflicts) throw inDoubt(afterAll(result.failure, count), doubtful);

    const busy = result.outcome === 'not-processed';
    const secondsAsked = busy ? result.retryAfter : undefined;
    if (secondsAsked !== undefined && secondsAsked > maxWait)
      throw inDoubt(tooLong(result.failure, secondsAsked, maxWait), doubtful);
    // A Retry-After of 0, repeated, would use up all attempts at once.
    const seconds =
      secondsAsked || Math.min(maxWait, busy ? growing(2, 3, count, policy) : growing(1, 2, count, policy));
    if (busy) {
      result.pause(seconds * 1000);
      continue;
    }
    if (seconds * 1000 >= noticeable && !isAbsent)
      policy.onWait(seconds, `attempt ${count} of ${maxAttempts} failed. ${result.failure.message}`);
    await clock.sleep(seconds * 1000, signal);
    if (signal?.aborted) throw inDoubt(interrupted(), doubtful);
  }
}

/** After a 429 the waits grow beyond the service's window of one minute within five attempts. */
function growing(first: number, factor: number, count: number, { random }: RetryPolicy): number {
  return first * factor ** (count - 1) * (1 + random() / 4);
}

/** The failure must not say that nothing was done if an earlier attempt may have been carried out. */
function inDoubt(failure: Failure, doubtful: boolean): Failure {
  if (!doubtful || failure.code === 'api-answer-lost') return failure;
  return failure.with({
    code: 'api-answer-lost',
    message: `${failure.message} An earlier attempt may have succeeded.`,
  });
}

function afterAll(failure: Failure, count: number): Failure {
  return count === 1 ? failure : failure.with({ message: `${failure.message} ${count} attempts were made.` });
}

function tooLong(failure: Failure, secondsAsked: number, maxWait: number): Failure {
  return failure.with({
    message: `${failure.message} It asks to wait ${Math.ceil(secondsAsked)} s; the longest allowed wait is ${maxWait} s.`,
    hint: 'Run again later, or allow a longer wait with --max-wait.',
  });
}
