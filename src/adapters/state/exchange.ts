// One request over undici and its whole answer: once, without redirects or repeats, within a time and a size.

import type { Dispatcher } from 'undici';
import { interrupted } from './place-failures.ts';

export interface WireRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

export interface Answer {
  readonly type: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Uint8Array;
}

/** Nobody knows whether the request was carried out. */
export interface NoAnswer {
  readonly type: 'none';
  readonly why: string;
}

export function isSuccess(answer: Answer | NoAnswer): boolean {
  return answer.type === 'answer' && answer.status >= 200 && answer.status < 300;
}

export function textOf({ bytes }: Answer): string {
  return new TextDecoder().decode(bytes);
}

/** A state of 100,000 schedules has about half of it. */
const bodyLimit = 64_000_000;

/** Throws Failure interrupted where the signal aborts, and nothing else. */
export async function exchange(
  dispatcher: Dispatcher,
  request: WireRequest,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Answer | NoAnswer> {
  if (signal?.aborted) throw interrupted();
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  signal?.addEventListener('abort', interrupt, { once: true });
  const timer = setTimeout(interrupt, timeoutMs);
  try {
    const { statusCode, headers, body } = await dispatcher.request({
      origin: request.origin,
      path: request.path,
      method: request.method,
      headers: { ...request.headers },
      body: request.body ?? null,
      signal: stop.signal,
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > bodyLimit) return { type: 'none', why: 'the answer is too large' };
      chunks.push(chunk);
    }
    return { type: 'answer', status: statusCode, headers: firstOfEach(headers), bytes: Buffer.concat(chunks) };
  } catch (error) {
    if (signal?.aborted) throw interrupted();
    if (stop.signal.aborted) return { type: 'none', why: `no answer within ${timeoutMs / 1000} s` };
    return { type: 'none', why: whyOf(error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', interrupt);
  }
}

function firstOfEach(headers: Readonly<Record<string, string | string[] | undefined>>): Answer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value[0] : value]),
  );
}

/** Each address of a host can fail separately; the first error represents them all. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const first: unknown = 'errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined;
  if (error.message !== '') return error.message;
  return first instanceof Error ? first.message : error.name;
}
