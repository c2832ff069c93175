// Runs the handlers of docs/ai-jobs.md unchanged, except for the path of their import.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { verifyWebhook } from '../../src/index.ts';
import { eventBody, signed, webhookSecret } from '../support/signed.ts';

const page = readFileSync('docs/ai-jobs.md', 'utf8');
const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
const body = eventBody();

interface Scope {
  readonly console: { log: (...words: readonly unknown[]) => void };
  readonly express?: unknown;
}

function load(code: string, returned: string, scope: Scope): unknown {
  const text = code.replace(/^import .*$/gm, '').replace(/^export /gm, '');
  const given = { ...scope, verifyWebhook, process: { env: { OMNI_WEBHOOK_SECRET: webhookSecret } } };
  return new Function(...Object.keys(given), `${text}\nreturn ${returned};`)(...Object.values(given));
}

const good = signed(body, { at: Date.now() });
/** What some senders begin a text with: a reader of texts drops it, and the signature is of the bytes. */
const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...Buffer.from(body)]);
const goodMarked = signed(marked, { at: Date.now() });
const forged = signed(body, { at: Date.now(), secret: 'guessed' });

test('the documented webhook handler works with Express', () => {
  type Handle = (request: object, response: object) => unknown;
  const routes: Handle[] = [];
  const app = { post: (_path: string, _parser: unknown, handle: Handle) => routes.push(handle) };
  const logged: unknown[][] = [];
  const express = Object.assign(() => app, { raw: () => undefined });
  load(examples[0] ?? '', 'app', { console: { log: (...words) => logged.push([...words]) }, express });
  const call = (headers: object, sent: unknown = Buffer.from(body)) => {
    let answered = 0;
    const response = {
      status: (status: number) => {
        answered = status;
        return response;
      },
      json: () => response,
      end: () => response,
    };
    routes[0]?.({ headers, body: sent }, response);
    return answered;
  };
  expect(call(good)).toBe(200);
  expect(call(good)).toBe(200);
  expect(call(forged)).toBe(401);
  expect(call(good, {})).toBe(401);
  expect(call(goodMarked, Buffer.from(marked))).toBe(200);
  expect(logged).toEqual([['job.complete', '7', 'Up by 4 %.', { a: [1] }]]);
});

test('the documented webhook handler works in a serverless function', async () => {
  type Handler = (request: object) => Promise<{ statusCode: number }>;
  const handler = load(examples[1] ?? '', 'handler', { console: { log: () => {} } }) as Handler;
  const call = async (request: object) => (await handler(request)).statusCode;
  expect(await call({ headers: good, body })).toBe(200);
  expect(await call({ headers: good, body: Buffer.from(body).toString('base64'), isBase64Encoded: true })).toBe(200);
  const encoded = { body: Buffer.from(marked).toString('base64'), isBase64Encoded: true };
  expect(await call({ headers: goodMarked, ...encoded })).toBe(200);
  expect(await call({ headers: forged, body })).toBe(401);
  expect(await call({ headers: {} })).toBe(401);
});

test('the documented webhook handler works with the requests of fetch, also where the body begins with a byte order mark', async () => {
  type Handler = (request: Request) => Promise<Response>;
  const handler = load(examples[2] ?? '', 'POST', { console: { log: () => {} } }) as Handler;
  const call = async (headers: Record<string, string>, sent: string | Uint8Array<ArrayBuffer>) => {
    const request = new Request('https://example.com/omni', { method: 'POST', headers, body: sent });
    return (await handler(request)).status;
  };
  expect(await call(good, body)).toBe(200);
  expect(await call(goodMarked, marked)).toBe(200);
  expect(await call(forged, body)).toBe(401);
  // As the page says.
  expect(await call(goodMarked, await new Response(marked).text())).toBe(401);
});
