// One operation of the service from request to value: waits for the rate limit, sends, reads the answer, and repeats if
// `retry` allows it.

import type { Json } from '../../model/values/json.ts';
import type { Mask } from '../../model/values/mask-secrets.ts';
import { isOrganizationKey } from '../../model/values/organization-key.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { CallOptions, Created } from '../../ports/api.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Reading } from '../answers/read-created.ts';
import {
  answerLost,
  codeError,
  nameOf,
  notProcessed,
  type Operation,
  refused,
  sentence,
  statusError,
  unreachable,
  withheld,
} from './api-failure.ts';
import type { Base } from './base-url.ts';
import { type Attempt, judgeError, judgeStatus, readRetryAfter, repeat } from './retry.ts';
import { cleanText, parseJson, readWords } from './service-text.ts';
import type { SlidingWindow } from './sliding-window.ts';
import type { Exchange, HttpRequest, Transport } from './transport.ts';
import type { WireRequest } from './wire.ts';

export interface Caller {
  readonly base: Base;
  readonly token: string;
  /** Covers every secret of the workspace, the token, and the passwords of proxies. */
  readonly mask: Mask;
  /** The same for what is kept in the state. */
  readonly keptMask: Mask;
  readonly version: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxAttempts: number;
  readonly maxWait: number;
  readonly onWait: (seconds: number, why: string) => void;
  readonly onRequest?: () => void;
  readonly transport: Transport;
  readonly window: SlidingWindow;
}

export interface Call<T> {
  readonly operation: Operation;
  readonly request: WireRequest;
  readonly read: (answer: Json | undefined) => Reading<T>;
  readonly options: CallOptions | undefined;
}

type Answer = Extract<Exchange, { type: 'answer' }>;

export function send<T>(caller: Caller, call: Call<T>): Promise<T> {
  const { operation, request } = call;
  const signal = call.options?.signal;
  const query = new URLSearchParams(request.query).toString();
  const httpRequest: HttpRequest = {
    method: operation.method,
    path: request.path + (query === '' ? '' : `?${query}`),
    headers: {
      authorization: `Bearer ${caller.token}`,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': `almanac/${caller.version}`,
    },
    body: request.body && JSON.stringify(request.body),
    maySend: call.options?.maySend,
  };

  async function attempt(): Promise<Attempt<T>> {
    const release = await caller.window.take(signal);
    let exchange: Exchange | undefined;
    let sending = false;
    try {
      await call.options?.beforeRequest?.();
      if (signal?.aborted) throw new Failure('interrupted', 'Interrupted before the request was sent.');
      caller.onRequest?.();
      call.options?.onRequest?.(operation.method);
      sending = true;
      exchange = await caller.transport.send(httpRequest);
    } finally {
      release(sending && (exchange === undefined || isSent(exchange)));
    }
    switch (exchange.type) {
      case 'withheld':
        throw withheld(operation);
      case 'error':
        return judgeBroken(caller, operation, exchange);
      case 'answer':
        return judgeAnswer(caller, call, exchange);
    }
  }

  return repeat(operation.repeatable ? 'PUT' : operation.method, attempt, { ...caller, signal });
}

/** Whether it may have reached the service. */
function isSent(exchange: Exchange): boolean {
  return exchange.type === 'answer' || (exchange.type === 'error' && exchange.started);
}

function judgeBroken(
  { base, mask }: Caller,
  operation: Operation,
  { code, message, started }: Extract<Exchange, { type: 'error' }>,
): Attempt<never> {
  const words = mask(cleanText(mask(message)));
  const outcome = judgeError(code, started);
  if (outcome === 'unsent') return { outcome, failure: unreachable(operation, base.host, code, words) };
  const how = `The connection to ${base.host} gave no answer: ${words} (${code}).`;
  return { outcome, failure: answerLost(operation, how, codeError(code, words)) };
}

function judgeAnswer<T>(caller: Caller, call: Call<T>, answer: Answer): Attempt<T> {
  const { mask } = caller;
  const { operation, request } = call;
  const { status, headers } = answer;
  const retryAfter = readRetryAfter(headers['retry-after'], headers['date'], caller.clock.now());
  const words = (): string => readWords(answer.text, mask);
  const outcome = judgeStatus(status, retryAfter);
  switch (outcome) {
    case 'done':
      return readDone(call, answer, mask);
    case 'not-processed': {
      const { pause } = caller.window;
      return { outcome, failure: notProcessed(operation, status, words()), retryAfter, pause };
    }
    case 'refused': {
      const target = mask(cleanText(mask(headers['location'] ?? '')));
      const actsFor = request.query['userId'] !== undefined;
      const sender = { actsFor, organizationKey: isOrganizationKey(caller.token), host: caller.base.host };
      const failure = refused(operation, status, status < 400 ? target : words(), sender);
      return { outcome: status === 409 && operation.repeatable ? 'conflict' : outcome, failure };
    }
    default: {
      const how = `The service answered ${status}: ${sentence(words(), status)}`;
      return { outcome: 'lost', failure: answerLost(operation, how, statusError(status)) };
    }
  }
}

/** An unreadable success is still a success, so only a broken-off answer may be requested again. */
function readDone<T>(call: Call<T>, answer: Answer, mask: Mask): Attempt<T> {
  const { operation } = call;
  const lost = (how: string): Failure =>
    answerLost(
      operation,
      `The service answered ${answer.status}, but ${how}`,
      codeError('ANSWER_UNREADABLE', `The answer to ${nameOf(operation)} cannot be used.`),
    );
  if (answer.body === 'broken') return { outcome: 'lost', failure: lost('its answer broke off.') };
  if (answer.body === 'too-large') return { outcome: 'refused', failure: lost('its answer is larger than 5 MB.') };
  const json = parseJson(answer.text);
  if (json === undefined && answer.text.trim() !== '') {
    return { outcome: 'refused', failure: lost(`its answer is not JSON: ${readWords(answer.text, mask)}`) };
  }
  const reading = call.read(json);
  if ('value' in reading) return { outcome: 'done', value: reading.value };
  return { outcome: 'refused', failure: lost(`its answer is not as documented. ${reading.problem}`) };
}

/** Outputs go into the state, where no secret may be. */
export function withMaskedOutputs(reading: Reading<Created>, { keptMask }: Caller): Reading<Created> {
  if (!('value' in reading)) return reading;
  const outputs = Object.entries(reading.value.outputs).map(([name, text]) => [
    name,
    keptMask(cleanText(String(text))),
  ]);
  return { value: { ...reading.value, outputs: Object.fromEntries(outputs) } };
}
