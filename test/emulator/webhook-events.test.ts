// What webhook events hold, their signatures, and their fate after a restart. Attempts are in
// conversations/webhook-events.txt.

import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import { ids, startFull } from '../support/emulator/start-emulator.ts';
import { openSink } from '../support/state/scripted-server.ts';

const secret = 'a secret of the webhook';
const begin = Date.UTC(2026, 2, 1);

async function start(options: EmulatorOptions = {}) {
  let time = begin;
  const running = await startFull({ now: () => time, jobDurationMs: 10_000, ...options });
  return {
    ...running,
    run: async (changes: object) =>
      (await running.send('POST', '/v1/ai/jobs', { modelId: ids.model, prompt: 'Sales?', ...changes })).body.jobId,
    pass: async (milliseconds: number) => {
      time += milliseconds;
      await running.emulator.tick();
    },
  };
}

test('a final webhook event has the documented payload and a signature over timestamp and body', async () => {
  const { url, received } = await openSink();
  const { run, pass, emulator } = await start();
  const metadata = { ticket: [1, null] };
  const jobId = await run({ webhookUrl: url, webhookSigningSecret: secret, webhookMetadata: metadata });
  await pass(10_000);
  expect(received).toHaveLength(1);
  const { body = '', headers = {} as IncomingHttpHeaders } = received[0] ?? {};
  expect(JSON.parse(body)).toEqual({
    event_id: `evt_${jobId}_COMPLETE_${begin / 1000 + 10}`,
    jobId,
    status: 'COMPLETE',
    result_summary: expect.stringContaining('Sales?'),
    metadata,
    completed_at: '2026-03-01T00:00:10.000Z',
  });
  const timestamp = String(begin / 1000 + 10);
  expect(headers['x-omni-signature-timestamp']).toBe(timestamp);
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  expect(headers['x-omni-signature']).toBe(`sha256=${digest}`);
  expect(JSON.stringify([emulator.inspect(), emulator.data()])).not.toContain(secret);
});

test('a webhook event without a secret has no signature, and has one in base64 on request', async () => {
  const { url, received } = await openSink();
  const { run, pass } = await start({ signatureEncoding: 'base64' });
  await run({ webhookUrl: url });
  await pass(10_000);
  await run({ webhookUrl: url, webhookSigningSecret: secret });
  await pass(10_000);
  expect(received[0]?.headers).not.toHaveProperty('x-omni-signature');
  expect(received[1]?.headers['x-omni-signature']).toMatch(/^sha256=[\w+/]{43}=$/);
});

test('GET /inspect returns the webhook events without a token', async () => {
  const { url } = await openSink();
  const { run, pass, emulator, baseUrl } = await start();
  await run({ webhookUrl: url, webhookSigningSecret: secret });
  await pass(10_000);
  const response = await fetch(baseUrl.replace(/\/api$/, '/inspect'));
  expect(await response.json()).toEqual(emulator.inspect());
  expect((await fetch(baseUrl.replace(/\/api$/, '/inspect'), { method: 'POST' })).status).toBe(405);
  expect(emulator.requests()).toHaveLength(1);
});

test('after a restart, webhook events that need a secret are withheld, because the file does not hold it', async () => {
  const { url, received } = await openSink();
  const first = await start();
  await first.run({ webhookUrl: url, webhookSigningSecret: secret });
  const second = await start({ data: first.emulator.data() });
  await second.pass(10_000);
  expect(received).toEqual([]);
  expect(second.emulator.inspect().events).toMatchObject([{ withheld: expect.stringContaining('secret') }]);
});
