// A code host: an HTTP API that keeps every request and fails where a test says so. What it answers, the double of GitHub or
// of GitLab decides.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A status, and what is sent: a text as it is, anything else as JSON. */
export type Answer = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

export interface FakeHost {
  readonly url: string;
  readonly requests: string[];
  /** Answers the next requests of a method with these statuses instead, and says that they may be repeated at once. */
  failNext(method: string, ...statuses: readonly number[]): void;
  /** Answers the next request of a method instead; `carryOut` does what it asks. */
  onNext(method: string, answer: (carryOut: () => Answer) => Answer): void;
}

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** `serve` may take a request over that is not one of the API. */
export async function openHost(
  answer: (asked: Asked) => Answer,
  serve: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<FakeHost> {
  const failures: { method: string; answer: (carryOut: () => Answer) => Answer }[] = [];
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    if (serve(request, response)) return;
    const { method = '', url = '', headers } = request;
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    requests.push(`${method} ${url}`);
    const failing = failures.findIndex((failure) => failure.method === method);
    const carryOut = () => answer({ method, url, headers, text });
    const chosen = failing < 0 ? undefined : failures.splice(failing, 1)[0];
    const [status, body, more = {}] = chosen === undefined ? carryOut() : chosen.answer(carryOut);
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    failNext: (method, ...statuses) => {
      for (const status of statuses)
        failures.push({ method, answer: () => [status, { message: 'as asked' }, { 'retry-after': '0' }] });
    },
    onNext: (method, answered) => void failures.push({ method, answer: answered }),
  };
}

/** A secondary limit, as GitHub describes it: neither a time to wait nor a count of 0. */
export const limitInWords: Answer = [
  403,
  { message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.' },
  { 'x-ratelimit-remaining': '4711' },
];

/** Whether `two` comes after `one` in a list of commits; undefined if one of them is not there. */
export function isAhead(order: readonly string[], one: string, two: string): boolean | undefined {
  return order.includes(one) && order.includes(two) ? order.indexOf(two) > order.indexOf(one) : undefined;
}

/** The page that a query asks for. */
export function page<T>(items: readonly T[], query: URLSearchParams): readonly T[] {
  const [size, number] = [Number(query.get('per_page')), Number(query.get('page'))];
  return items.slice((number - 1) * size, number * size);
}
