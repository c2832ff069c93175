// One operation of the service from request to value, repeated where that is safe. Waits for the rate limit, sends,
// reads the answer, and repeats if `retry` allows it.

import {
  type Answer,
  type Base,
  type BodySink,
  bodyText,
  cleanText,
  type Exchange,
  type HttpRequest,
  httpDate,
  judgeError,
  type NoAnswer,
  shownText,
} from '../http/exchange.ts';
import type { Clock } from '../model/outside.ts';
import { type Created, isOrganizationKey } from '../model/service/remote.ts';
import { mapAt, parseJson } from '../model/values/json.ts';
import type { Mask } from '../model/values/secret.ts';
import { answerUnreadable, Failure } from '../model/workspace/failure.ts';
import type { ApiSettings, CallOptions, DownloadedFile } from './api.ts';
import {
  answeredByOther,
  answerLost,
  atMaximum,
  codeError,
  endingNote,
  endingOf,
  nameOf,
  namesMaximum,
  notProcessed,
  readWords,
  refused,
  sentence,
  statusError,
  unreachable,
  withheld,
} from './api-failure.ts';
import { type Operation, pathOf, type WireRequest } from './operations.ts';
import { Undocumented } from './read-by-schema.ts';
import { interrupted, noticeable, type SlidingWindow } from './sliding-window.ts';

export interface Caller extends Omit<RetryPolicy, 'signal'>, Pick<ApiSettings, 'token' | 'onRequest'> {
  readonly base: Base;
  /** Covers every secret of the workspace, the token, and the passwords of proxies. */
  readonly mask: Mask;
  /** The same for what is kept in the state. */
  readonly keptMask: Mask;
  readonly version: string;
  /** Tells a person, once for each key. */
  readonly note: (message: string, key?: string) => void;
  /** One request, without repeats. `sink`: its answer is a file. */
  readonly ask: (
    request: Omit<HttpRequest, 'origin'>,
    limits: {
      readonly maySend: (() => boolean) | undefined;
      readonly signal: AbortSignal | undefined;
      /** The time that the answer to a request under way is waited for when the signal comes. */
      readonly graceMs: number;
      readonly sink: BodySink | undefined;
    },
  ) => Promise<Exchange>;
  readonly window: SlidingWindow;
  /** True once anything but a web page has answered in this run. */
  readonly hasAnswered: () => boolean;
}

/** Ctrl-C ends every wait within two seconds. */
const graceMs = 500;

export function send<T>(
  caller: Caller,
  operation: Operation<T>,
  request: Partial<WireRequest>,
  options: CallOptions | undefined,
): Promise<T> {
  const isOnce = operation.method === 'POST' && !operation.repeatable;
  const repeating = operation.method === 'GET' ? 'reads' : isOnce ? 'once' : 'repeatable';
  return sendAs(caller, operation, request, {
    options,
    repeating,
    read: (answer) => judgeSuccess(operation, answer, request.id, caller),
  });
}

/** Sends for an answer that is a file, whose bytes go to a sink; undefined for one that says that there is none yet. */
export function sendForFile(
  caller: Caller,
  operation: Operation,
  request: Partial<WireRequest>,
  sink: BodySink,
  options: CallOptions | undefined,
): Promise<DownloadedFile | undefined> {
  return sendAs<DownloadedFile | undefined>(caller, operation, request, {
    options,
    repeating: 'once',
    read: (answer) => judgeFile(operation, answer),
    sink,
  });
}

function judgeFile(operation: Operation, { status, headers, body }: Answer): AttemptResult<DownloadedFile | undefined> {
  if (body !== 'whole') {
    const how = `The service answered ${status}, but its answer broke off.`;
    return { outcome: 'lost', failure: answerLost(operation, how, codeError(answerUnreadable, how)) };
  }
  if (status !== 200) return { outcome: 'done', value: undefined };
  const length = headers['content-length'];
  const value: DownloadedFile = {
    type: (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    length: length === undefined ? undefined : Number(length),
    isBounded: length !== undefined || headers['transfer-encoding'] !== undefined,
  };
  return { outcome: 'done', value };
}

interface RequestToSend<T> {
  readonly options: CallOptions | undefined;
  readonly repeating: RepeatEffect;
  readonly read: (answer: Answer) => AttemptResult<T>;
  readonly sink?: BodySink;
}

function sendAs<T>(
  caller: Caller,
  operation: Operation,
  { id, jobId, query = {}, body }: Partial<WireRequest>,
  { options, repeating, read, sink }: RequestToSend<T>,
): Promise<T> {
  const signal = options?.signal;
  // An answer that changes nothing is not waited for. It must be known what became of any other request.
  const ending = repeating === 'reads' || sink !== undefined ? signal : undefined;
  const search = new URLSearchParams(query).toString();
  const request = {
    method: operation.method,
    path: pathOf(operation.path, id, jobId) + (search === '' ? '' : `?${search}`),
    headers: {
      authorization: `Bearer ${caller.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      accept: sink === undefined ? 'application/json' : '*/*',
      'accept-encoding': 'identity',
      'user-agent': `almanac/${caller.version}`,
    },
    body: body && JSON.stringify(body),
  };

  async function attempt(): Promise<AttemptResult<T>> {
    const release = await caller.window.take(signal);
    let exchange: Exchange | undefined;
    let sending = false;
    try {
      await options?.beforeRequest?.();
      if (signal?.aborted) throw interrupted();
      caller.onRequest?.();
      options?.onRequest?.(operation.method);
      sending = true;
      exchange = await caller.ask(request, {
        maySend: options?.maySend,
        signal: ending,
        graceMs: sink === undefined ? graceMs : 0,
        sink,
      });
    } finally {
      release(sending && (exchange === undefined || isSent(exchange)));
    }
    if (ending?.aborted && !isWhole(exchange)) throw interrupted();
    switch (exchange.type) {
      case 'withheld':
        throw withheld(operation);
      case 'none':
        return judgeNone(caller, operation, exchange);
      case 'answer':
        return judgeAnswer(caller, operation, { query, body, repeating, read }, exchange);
    }
  }

  return repeat(repeating, attempt, { ...caller, signal });
}

/** undici's word for a request after the connections of the run were closed. */
const closedByUs = 'UND_ERR_DESTROYED';

/** True if it may have reached the service. */
function isSent(exchange: Exchange): boolean {
  return exchange.type === 'answer' || (exchange.type === 'none' && exchange.started);
}

function isWhole(exchange: Exchange): boolean {
  return exchange.type === 'answer' && exchange.body === 'whole';
}

/** The errors of an address that is misspelled, or at which no program listens. */
const absent: readonly string[] = ['ECONNREFUSED', 'ENOTFOUND'];

function judgeNone(
  { base, mask, hasAnswered }: Caller,
  operation: Operation,
  { code, why, started }: NoAnswer,
): AttemptResult<never> {
  const words = shownText(why, mask);
  const outcome = judgeError(code, started);
  // The run has ended because of another request: what it still wanted to read, nobody waits for.
  if (operation.method === 'GET' && code === closedByUs)
    return { outcome: 'refused', failure: unreachable(operation, base, code, words) };
  const isAbsent = absent.includes(code) && !hasAnswered();
  if (outcome !== 'lost') return { outcome, failure: unreachable(operation, base, code, words), isAbsent };
  const how = `The connection to ${base.host} gave no answer: ${words} (${code}).`;
  return { outcome, failure: answerLost(operation, how, codeError(code, words)) };
}

function judgeAnswer<T>(
  caller: Caller,
  operation: Operation,
  { query, body, repeating, read }: Pick<WireRequest, 'query' | 'body'> & Pick<RequestToSend<T>, 'repeating' | 'read'>,
  answer: Answer,
): AttemptResult<T> {
  const { mask } = caller;
  const { status, headers } = answer;
  const retryAfter = readRetryAfter(headers['retry-after'], headers['date'], caller.clock.now());
  const words = (): string => readWords(bodyText(answer), mask);
  const target = () => shownText(headers['location'] ?? '', mask);
  const outcome = judgeStatus(status, retryAfter, repeating);
  const ending = endingOf(headers, (text) => shownText(text, mask));
  if (ending !== undefined && status !== 410) caller.note(endingNote(operation, ending), nameOf(operation));
  switch (outcome) {
    case 'done':
      return read(answer);
    case 'not-processed': {
      // The service has no other sign of it than its words.
      if (status === 429 && operation.atMaximumHint !== undefined && namesMaximum(words()))
        return { outcome: 'refused', failure: atMaximum(operation, words()) };
      const { pause } = caller.window;
      return { outcome, failure: notProcessed(operation, status, words()), retryAfter, pause };
    }
    case 'refused': {
      const foreign = status === 404 ? foreignBody(answer, mask) : undefined;
      if (foreign !== undefined) return { outcome, failure: answeredByOther(caller, status, foreign) };
      const failure = refused(operation, status, status < 400 ? target() : words(), {
        ending,
        actsFor: query['userId'] !== undefined,
        setsZone: typeof body?.['timezoneOverride'] === 'string',
        namesAddresses: namesAddresses(body),
        organizationKey: isOrganizationKey(caller.token),
        host: caller.base.host,
      });
      return { outcome: status === 409 && operation.repeatable ? 'conflict' : outcome, failure };
    }
    default: {
      const how =
        status < 400
          ? `The service redirects it to ${target() || 'another address'} (${status}), and redirects are not followed. Check the base URL.`
          : `The service answered ${status}: ${sentence(words(), status)}`;
      return { outcome: 'lost', failure: answerLost(operation, how, statusError(status)) };
    }
  }
}

export function isPage(answer: Answer): boolean {
  return answer.body === 'whole' && /^\s*<(?:!doctype html|html)\b/i.test(bodyText(answer));
}

/** The kind of body that came in place of the JSON, or the nothing, that the API answers; undefined if that came. */
function foreignBody(answer: Answer, mask: Mask): string | undefined {
  if (isPage(answer)) return 'a web page';
  if (answer.body !== 'whole') return 'a body that does not end';
  const text = bodyText(answer).trim();
  return text === '' || parseJson(text) !== undefined
    ? undefined
    : `text that is not JSON, ${JSON.stringify(shownText(text, mask, 60))}`;
}

/** True if the body of a schedule or a routine names an e-mail address. */
function namesAddresses(body: WireRequest['body']): boolean {
  const named = [body?.['recipients'], mapAt(body, 'destination')['recipientEmails']];
  return named.flat().some((each) => typeof each === 'string' && each.includes('@'));
}

/** An unreadable success is still a success, so only a broken-off answer may be requested again. */
function judgeSuccess<T>(
  operation: Operation<T>,
  answer: Answer,
  id: string | undefined,
  caller: Caller,
): AttemptResult<T> {
  const { mask } = caller;
  // A website answers any path with a page, so no other request can succeed, unless the API has answered before. What became
  // of a write is not known.
  if (isPage(answer) && operation.method === 'GET') {
    return { outcome: 'refused', failure: answeredByOther(caller, answer.status, 'a web page') };
  }
  const lost = (how: string): Failure =>
    answerLost(
      operation,
      `The service answered ${answer.status}, but ${how}`,
      codeError(answerUnreadable, `The answer to ${nameOf(operation)} cannot be used.`),
    );
  if (answer.body === 'broken') return { outcome: 'lost', failure: lost('its answer broke off.') };
  if (answer.body === 'too-large') return { outcome: 'refused', failure: lost('its answer is larger than 5 MB.') };
  const text = bodyText(answer);
  const json = parseJson(text);
  if (json === undefined && text.trim() !== '') {
    return { outcome: 'refused', failure: lost(`its answer is not JSON: ${readWords(text, mask)}`) };
  }
  try {
    return { outcome: 'done', value: operation.read(json, id) };
  } catch (error) {
    if (!(error instanceof Undocumented)) throw error;
    return { outcome: 'refused', failure: lost(`its answer is not as documented. ${error.message}`) };
  }
}

/** Outputs go into the state, where no secret may be. */
export function withMaskedOutputs(created: Created, { keptMask }: Caller): Created {
  const outputs = Object.entries(created.outputs).map(([name, text]) => [name, keptMask(cleanText(String(text)))]);
  return { ...created, outputs: Object.fromEntries(outputs) };
}

// Decides which requests may be sent again, and when. A request that the service certainly did not process is repeated
// whatever its method. One that it may have processed is repeated only if that is safe: a POST only where its operation says `repeatable`. Decisions use
// status and error code, never the text of a message. How often is handed in: the options of commands/base/command.ts.

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

interface RetryPolicy extends Pick<ApiSettings, 'maxAttempts' | 'maxWait' | 'onWait'> {
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
