import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import { ids, startFull } from '../support/emulator/start-emulator.ts';
import { openSink } from '../support/state/scripted-server.ts';
import { hook, mail } from '../support/vocabulary.ts';

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

test('progress events are sent once each and in order, whatever the receiver answers', async () => {
  const { url, received } = await openSink((before) => (before < 3 ? 500 : 200));
  const { run, pass, emulator } = await start();
  await run({ webhookUrl: url, progressWebhookEnabled: true });
  await pass(60_000);
  expect(received.map(({ body }) => JSON.parse(body).progress?.iteration)).toEqual([1, 2, 3, undefined]);
  expect(emulator.inspect().events.map(({ kind, attempts }) => [kind, attempts.map(({ status }) => status)])).toEqual([
    ['progress', [500]],
    ['progress', [500]],
    ['progress', [500]],
    ['job.complete', [200]],
  ]);
});

test('a final webhook event is retried with the same id and a new timestamp, up to a limit', async () => {
  const { url, received } = await openSink((before) => [500, 302, 0][before] ?? 503);
  const { run, pass, emulator } = await start({ retryMs: [1000, 2000, 4000] });
  await run({ webhookUrl: url, prompt: 'x [emulator: fail]', webhookSigningSecret: secret });
  await pass(10_000);
  expect(emulator.inspect().events[0]).toMatchObject({ kind: 'job.failed', attempts: [{ status: 500 }] });
  await pass(999);
  expect(received).toHaveLength(1);
  await pass(1);
  await pass(2000);
  await pass(4000);
  await pass(600_000);
  expect(received).toHaveLength(4);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(received.map(({ headers }) => headers['x-omni-signature-timestamp'])).size).toBe(4);
  const [event] = emulator.inspect().events;
  expect(event?.attempts.map(({ status }) => status)).toEqual([500, 302, null, 503]);
  expect(event).not.toHaveProperty('dueAt');
});

test('a cancelled job sends no webhook event', async () => {
  const { url, received } = await openSink();
  const { run, pass, send } = await start();
  const jobId = await run({ webhookUrl: url });
  await send('POST', `/v1/ai/jobs/${jobId}/cancel`);
  await pass(60_000);
  expect(received).toEqual([]);
});

test('no webhook event leaves this machine unless that is requested', async () => {
  const { run, pass, emulator } = await start();
  await run({ webhookUrl: 'https://hooks.example.com/ai' });
  await pass(60_000);
  expect(emulator.inspect().events).toMatchObject([{ attempts: [], withheld: expect.stringContaining('machine') }]);
});

test('a test delivery to a webhook is recorded and posted once', async () => {
  const { url, received } = await openSink(() => 500);
  const { send, pass, emulator } = await start();
  for (const format of ['csv', 'link_only']) {
    await send('POST', '/v1/schedules', hook({ url, format, testNow: true }));
  }
  await send('POST', '/v1/schedules', mail({ testNow: true }));
  await pass(0);
  await pass(600_000);
  expect(received.map(({ headers }) => headers['content-type']).sort()).toEqual(['application/json', 'text/csv']);
  expect(received.find(({ headers }) => headers['x-filename'])?.headers['x-filename']).toBe('Weekly%20sales.csv');
  const { deliveries } = emulator.inspect();
  expect(deliveries.map(({ attempts }) => attempts?.length)).toEqual([1, 1, undefined]);
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
