// Sends one request over undici: once, without redirects or repeats, with a timeout and a limit of five megabytes.
// Reports whether the request reached an open connection; one that certainly did not may be repeated whatever its
// method.

import type { Dispatcher } from 'undici';
import type { Clock } from '../../ports/clock.ts';
import { type DispatcherOptions, makeDispatcher } from './dispatcher.ts';
import { httpDate, type Method } from './retry.ts';

export interface HttpRequest {
  readonly method: Method;
  /** Relative to the base URL, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Asked as the head is written. */
  readonly maySend?: (() => boolean) | undefined;
}

export type Exchange =
  | {
      readonly type: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | undefined>>;
      readonly text: string;
      /** Whether the text is the whole body, or why it is not. */
      readonly body: 'whole' | 'broken' | 'too-large';
    }
  | { readonly type: 'error'; readonly code: string; readonly message: string; readonly started: boolean }
  /** `maySend` said no, so nothing was sent. */
  | { readonly type: 'withheld' };

export interface Transport {
  send(request: HttpRequest): Promise<Exchange>;
  /**
   * Milliseconds by which the service's clock is ahead, by its last answer; undefined before the first one. A gateway
   * that answers in its place has a clock of its own.
   */
  clockDifference(): number | undefined;
  close(): Promise<void>;
}

const bodyLimit = 5_000_000;

export async function openTransport(options: DispatcherOptions, clock: Clock): Promise<Transport> {
  const dispatcher = await makeDispatcher(options);
  let clockDifference: number | undefined;
  return {
    send: async (request) => {
      const exchanged = await exchange(dispatcher, request, options);
      const date = isOfService(exchanged) ? httpDate(exchanged.headers['date']?.trim() ?? '') : undefined;
      if (date !== undefined) clockDifference = date - clock.now();
      return exchanged;
    },
    clockDifference: () => clockDifference,
    // By now only connections remain that no request waits for.
    close: () => dispatcher.destroy(),
  };
}

function isOfService(exchanged: Exchange): exchanged is Extract<Exchange, { type: 'answer' }> {
  if (exchanged.type !== 'answer' || exchanged.status >= 500) return false;
  return exchanged.headers['content-type']?.includes('json') === true;
}

function exchange(dispatcher: Dispatcher, request: HttpRequest, options: DispatcherOptions): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let started = false;
    let head: { status: number; headers: Readonly<Record<string, string | undefined>> } | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let ended = false;

    const end = (result: Exchange, stop?: Error): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      if (stop !== undefined) controller?.abort(stop);
      resolve(result);
    };
    const answer = (body: 'whole' | 'broken' | 'too-large'): Exchange | undefined =>
      head && { type: 'answer', ...head, text: new TextDecoder().decode(Buffer.concat(chunks)), body };
    const fail = (error: Error): void =>
      end(answer('broken') ?? { type: 'error', ...readError(error), started }, error);
    const timer = setTimeout(() => fail(timedOut(options.timeout)), options.timeout * 1000);

    dispatcher.dispatch(
      {
        origin: options.base.origin,
        path: options.base.path + request.path,
        method: request.method,
        headers: { ...request.headers },
        body: request.body ?? null,
      },
      {
        onRequestStart: (given) => {
          controller = given;
          // undici writes the head directly after this, in the same turn: what is asked here is still true then.
          // The request ended while its connection was being opened, so it must not be sent now.
          if (ended) given.abort(timedOut(options.timeout));
          else if (request.maySend?.() === false) end({ type: 'withheld' }, new Error('withheld'));
          else started = true;
        },
        onResponseStart: (_controller, status, headers) => {
          if (status >= 200) head = { status, headers: firstOfEach(headers) };
        },
        onResponseData: (_controller, chunk) => {
          if (ended) return;
          size += chunk.length;
          if (size <= bodyLimit) chunks.push(chunk);
          else end(answer('too-large') as Exchange, new Error('The body is too large.'));
        },
        onResponseEnd: () => end(answer('whole') as Exchange),
        onResponseError: (_controller, error) => fail(error),
      },
    );
  });
}

function timedOut(seconds: number): Error {
  return Object.assign(new Error(`no answer within ${seconds} s`), { code: 'ETIMEDOUT' });
}

function firstOfEach(headers: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      String(Array.isArray(value) ? value[0] : value),
    ]),
  );
}

/** Each address of a host can fail separately; the first error represents them all. */
function readError(error: Error & { code?: unknown; errors?: unknown }): { code: string; message: string } {
  const first: unknown = Array.isArray(error.errors) ? error.errors[0] : undefined;
  const code = typeof error.code === 'string' ? error.code : 'UNKNOWN';
  return { code, message: error.message || (first instanceof Error ? first.message : '') || code };
}
