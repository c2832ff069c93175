// One request over undici and its whole answer: once, without redirects or repeats, within a time and a size. Reports whether
// the request reached an open connection; one that certainly did not may be repeated whatever its method.

import type { Dispatcher } from 'undici';

export type Method = 'GET' | 'PUT' | 'DELETE' | 'PATCH' | 'POST';

export interface HttpRequest {
  readonly method: Method;
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
}

export interface Limits {
  readonly timeoutMs: number;
  readonly mostBytes: number;
  /** Ends it at once. */
  readonly signal?: AbortSignal | undefined;
  /** Asked as the head is written. */
  readonly maySend?: (() => boolean) | undefined;
}

export interface Answer {
  readonly type: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Uint8Array;
  /** Whether the bytes are the whole body, or why they are not. */
  readonly body: 'whole' | 'broken' | 'too-large';
}

/** Where `started` is true, nobody knows whether the request was carried out. */
export interface NoAnswer {
  readonly type: 'none';
  readonly code: string;
  readonly why: string;
  readonly started: boolean;
}

/** `withheld`: `maySend` said no, so nothing was sent. */
export type Exchange = Answer | NoAnswer | { readonly type: 'withheld' };

export function isSuccess(exchange: Exchange): boolean {
  return exchange.type === 'answer' && exchange.status >= 200 && exchange.status < 300;
}

export function textOf({ bytes }: Answer): string {
  return new TextDecoder().decode(bytes);
}

/** Never throws. */
export function exchange(dispatcher: Dispatcher, request: HttpRequest, limits: Limits): Promise<Exchange> {
  const { timeoutMs, mostBytes, signal, maySend } = limits;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let started = false;
    let head: Pick<Answer, 'status' | 'headers'> | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let ended = false;

    const end = (result: Exchange, stop?: Error): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      if (stop !== undefined) controller?.abort(stop);
      resolve(result);
    };
    const answer = (body: Answer['body']): Exchange | undefined =>
      head && { type: 'answer', ...head, bytes: Buffer.concat(chunks), body };
    const fail = (error: Error): void => end(answer('broken') ?? { type: 'none', ...readError(error), started }, error);
    const late = failed('ETIMEDOUT', `no answer within ${timeoutMs / 1000} s`);
    const interrupt = (): void => fail(failed('UND_ERR_ABORTED', 'interrupted'));
    const timer = setTimeout(() => fail(late), timeoutMs);
    signal?.addEventListener('abort', interrupt, { once: true });
    if (signal?.aborted) interrupt();

    const { method, origin, path, headers, body = null } = request;
    dispatcher.dispatch(
      { origin, path, method, headers: { ...headers }, body },
      {
        onRequestStart: (given) => {
          controller = given;
          // undici writes the head directly after this, in the same turn: what is asked here is still true then.
          // The request ended while its connection was being opened, so it must not be sent now.
          if (ended) given.abort(late);
          else if (maySend?.() === false) end({ type: 'withheld' }, new Error('withheld'));
          else started = true;
        },
        onResponseStart: (_controller, status, given) => {
          if (status >= 200) head = { status, headers: firstOfEach(given) };
        },
        onResponseData: (_controller, chunk) => {
          if (ended) return;
          size += chunk.length;
          if (size <= mostBytes) chunks.push(chunk);
          else end(answer('too-large') as Exchange, new Error('The body is too large.'));
        },
        onResponseEnd: () => end(answer('whole') as Exchange),
        onResponseError: (_controller, error) => fail(error),
      },
    );
  });
}

function failed(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
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
function readError(error: Error & { code?: unknown; errors?: unknown }): Pick<NoAnswer, 'code' | 'why'> {
  const first: unknown = Array.isArray(error.errors) ? error.errors[0] : undefined;
  const code = typeof error.code === 'string' ? error.code : 'UNKNOWN';
  return { code, why: error.message || (first instanceof Error ? first.message : '') || code };
}
