// A real server on loopback with a script, and the adapter that asks it. Each request gets one scripted thing, and all
// that follow the last one get that again.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import type { Failure } from '../../../src/model/workspace/failure.ts';
import type { Api } from '../../../src/omni/api.ts';
import { connectHttpApi, type HttpApiSettings } from '../../../src/omni/http-api.ts';
import { failureOf } from '../failure-of.ts';
import { makeInstantClock } from '../fake-clock.ts';
import { listenOnLoopback } from './loopback.ts';

export const token = 'omni_osk_t0ken-that-must-not-show';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Act = (response: ServerResponse, request: SeenRequest) => unknown;

export interface ScriptedServer {
  readonly port: number;
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

export function answer(status: number, body: unknown = {}, headers: Record<string, string> = {}): Act {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

export const reset: Act = (response) => response.socket?.resetAndDestroy();
export const hang: Act = () => {};

/** Promises a hundred bytes, sends a few and breaks off. */
export const cutShort =
  (status: number): Act =>
  (response) => {
    response.writeHead(status, { 'content-length': '100' });
    response.write('{"id":"a-', () => response.socket?.destroy());
  };

export async function startServer(acts: readonly Act[]): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(one);
      (acts[seen.length - 1] ?? acts.at(-1) ?? hang)(response, one);
    });
  });
  const { port, close } = await listenOnLoopback(server);
  return { port, baseUrl: `http://127.0.0.1:${port}/api`, seen, close };
}

export interface WebhookSink {
  readonly url: string;
  readonly received: readonly SeenRequest[];
}

/** A receiver of webhooks, closed when the test ends. `statusOf` is given how many came before; 0 ends the connection. */
export async function openSink(statusOf: (before: number) => number = () => 200): Promise<WebhookSink> {
  const server = await startServer([
    (response) => {
      const status = statusOf(server.seen.length - 1);
      if (status === 0) response.destroy();
      else response.writeHead(status, { Location: '/elsewhere' }).end('x'.repeat(100));
    },
  ]);
  onTestFinished(() => server.close());
  return { url: server.baseUrl, received: server.seen };
}

/** The adapter, on a clock whose sleeps pass at once. Closed when the test ends. */
export async function connectTo(baseUrl: string, settings: Partial<HttpApiSettings> = {}): Promise<Api> {
  const api = await connectHttpApi({
    baseUrl,
    token,
    secrets: [],
    rateLimit: 60,
    concurrency: 4,
    timeout: 5,
    allowHttp: false,
    maxAttempts: 3,
    maxWait: 120,
    onWait: () => undefined,
    clock: makeInstantClock(Date.now()),
    random: () => 0,
    version: '1.2.3',
    ...settings,
  });
  onTestFinished(() => api.close());
  return api;
}

/** The adapter, the clock whose sleeps it counts, and what it says while it waits. */
export async function openApiAt(baseUrl: string, settings: Partial<HttpApiSettings> = {}) {
  const clock = makeInstantClock(Date.now());
  const waits: [number, string][] = [];
  const onWait = (...wait: [number, string]) => void waits.push(wait);
  return { api: await connectTo(baseUrl, { onWait, clock, ...settings }), clock, waits };
}

/** A scripted server for one test, and the adapter that asks it. */
export async function openApi(acts: readonly Act[], settings: Partial<HttpApiSettings> = {}) {
  const server = await startServer(acts);
  onTestFinished(() => server.close());
  return { server, ...(await openApiAt(server.baseUrl, settings)) };
}

/** What a request failed with. Nothing of it may show the token. */
export async function apiFailureOf(request: Promise<unknown>): Promise<Failure> {
  const failure = await failureOf(request);
  expect(inspect(failure, { depth: 20, showHidden: true, getters: true })).not.toContain(token);
  return failure;
}
