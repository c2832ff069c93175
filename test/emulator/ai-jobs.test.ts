import { describe, expect, test } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import { ids, startFull } from '../support/emulator/start-emulator.ts';

const organizationId = '550e8400-e29b-41d4-a716-446655440000';
const body = { modelId: ids.model, prompt: 'How are sales?\nBy region.' };

async function startJob(changes: object = {}, options: EmulatorOptions = {}) {
  let time = Date.UTC(2026, 2, 1);
  const running = await startFull({ now: () => time, jobDurationMs: 10_000, ...options });
  const { jobId } = (await running.send('POST', '/v1/ai/jobs', { ...body, ...changes })).body;
  const path = `/v1/ai/jobs/${jobId}`;
  return {
    ...running,
    jobId,
    path,
    status: async () => (await running.send('GET', path)).body as unknown as Record<string, unknown>,
    pass: async (milliseconds: number) => {
      time += milliseconds;
      await running.emulator.tick();
    },
  };
}

test('the emulator queues an AI job and says where to watch it', async () => {
  const { send, emulator } = await startFull();
  const reply = await send('POST', '/v1/ai/jobs', {
    ...body,
    branchId: ids.branch,
    topicName: 'order_items',
    progressWebhookEnabled: true,
    webhookUrl: 'https://hooks.example.com/ai',
    webhookSigningSecret: 'top-secret',
    webhookMetadata: { any: ['thing', { deep: null }] },
  });
  expect(reply.status).toBe(201);
  const { jobId, conversationId, omniChatUrl } = reply.body;
  expect(Object.keys(reply.body)).toEqual(['jobId', 'conversationId', 'omniChatUrl']);
  expect(omniChatUrl).toBe(`https://demo.omniapp.co/chat/${conversationId}`);
  expect(emulator.data().jobs.at(-1)).toMatchObject({
    id: jobId,
    conversationId,
    status: 'QUEUED',
    ownerId: null,
    hasSigningSecret: true,
  });
  expect(JSON.stringify(emulator.data())).not.toContain('top-secret');
});

test('an AI job goes through its states by the clock', async () => {
  const { status, pass, jobId } = await startJob();
  expect(await status()).toMatchObject({
    id: jobId,
    state: 'QUEUED',
    modelId: ids.model,
    userId: organizationId,
    branchId: null,
    omniChatUrl: expect.stringContaining('/chat/'),
  });
  expect(await status()).not.toHaveProperty('executionStartedAt');
  await pass(1000);
  expect(await status()).toMatchObject({
    state: 'EXECUTING',
    executionStartedAt: '2026-03-01T00:00:01.000Z',
    progress: { iteration: 1, message: expect.any(String), updatedAt: '2026-03-01T00:00:01.000Z' },
  });
  await pass(3500);
  expect(await status()).toMatchObject({ state: 'EXECUTING', progress: { iteration: 2 } });
  await pass(4500);
  const delivering = await status();
  expect(delivering).toMatchObject({ state: 'DELIVERING' });
  expect(delivering).not.toHaveProperty('progress');
  expect(delivering).not.toHaveProperty('resultSummary');
  await pass(1000);
  expect(await status()).toMatchObject({
    state: 'COMPLETE',
    resultSummary: expect.stringContaining('How are sales?'),
    executionStartedAt: '2026-03-01T00:00:01.000Z',
    completedAt: '2026-03-01T00:00:10.000Z',
    updatedAt: '2026-03-01T00:00:10.000Z',
  });
});

describe('cancel', () => {
  test('cancelling a queued AI job ends it at once, and can be repeated', async () => {
    const { send, path, jobId, status, pass } = await startJob();
    const answer = { jobId, state: 'CANCELLED' };
    expect((await send('POST', `${path}/cancel`)).body).toEqual(answer);
    expect((await send('POST', `${path}/cancel`)).body).toEqual(answer);
    await pass(60_000);
    const ended = await status();
    expect(ended).toMatchObject({
      state: 'CANCELLED',
      cancelledAt: '2026-03-01T00:00:00.000Z',
      cancelledBy: organizationId,
    });
    expect(ended).not.toHaveProperty('completedAt');
    expect(ended).not.toHaveProperty('executionStartedAt');
  });

  test('cancelling an executing AI job ends it after its iteration', async () => {
    const { send, path, status, pass } = await startJob();
    await pass(1500);
    expect((await send('POST', `${path}/cancel`)).body).toMatchObject({ state: 'EXECUTING' });
    expect((await status())['state']).toBe('EXECUTING');
    await pass(3000);
    expect(await status()).toMatchObject({ state: 'CANCELLED', cancelledAt: '2026-03-01T00:00:04.000Z' });
  });

  test('cancelling an AI job frees its conversation', async () => {
    const { send, path } = await startJob({ conversationId: ids.conversation });
    const next = { ...body, conversationId: ids.conversation };
    expect((await send('POST', '/v1/ai/jobs', next)).status).toBe(409);
    await send('POST', `${path}/cancel`);
    expect((await send('POST', '/v1/ai/jobs', next)).status).toBe(201);
  });
});

test('a member may not cancel the AI job of another owner', async () => {
  const { send, asAna, path } = await startJob();
  expect((await send('POST', `${path}/cancel`, undefined, asAna)).status).toBe(403);
});

test('an AI job that a member cancelled names the member', async () => {
  const { send, asAna } = await startJob();
  const { jobId } = (await send('POST', '/v1/ai/jobs', body, asAna)).body;
  await send('POST', `/v1/ai/jobs/${jobId}/cancel`, undefined, asAna);
  expect((await send('GET', `/v1/ai/jobs/${jobId}`)).body).toMatchObject({ userId: ids.ana, cancelledBy: ids.ana });
});

test('time passes by itself in an emulator by default', async () => {
  const { emulator, send, jobId } = await startJob({}, { now: Date.now, sleep: async () => {}, jobDurationMs: 5 });
  await expect.poll(() => emulator.data().jobs.find(({ id }) => id === jobId)?.status).toBe('COMPLETE');
  expect((await send('GET', `/v1/ai/jobs/${jobId}`)).status).toBe(200);
});
