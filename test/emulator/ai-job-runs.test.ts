import { describe, expect, test } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { startFull } from '../support/emulator/start-full.ts';

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

test('an AI job goes through its states by the clock', async () => {
  const { status, pass, jobId } = await startJob();
  expect(await status()).toMatchObject({
    id: jobId,
    state: 'QUEUED',
    modelId: ids.model,
    userId: null,
    branchId: null,
    omniChatUrl: expect.stringContaining('/chat/'),
  });
  await pass(1000);
  expect(await status()).toMatchObject({
    state: 'EXECUTING',
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
    completedAt: '2026-03-01T00:00:10.000Z',
    updatedAt: '2026-03-01T00:00:10.000Z',
  });
});

test('one long wait runs all steps of an AI job, and nothing happens without a tick', async () => {
  const { status, pass, emulator } = await startJob();
  expect((await status())['state']).toBe('QUEUED');
  await pass(60_000);
  expect((await status())['state']).toBe('COMPLETE');
  await emulator.tick();
});

test('a prompt can ask for a failure of its AI job', async () => {
  const { status, pass, send, path } = await startJob({ prompt: 'Do this. [emulator: fail]' });
  await pass(10_000);
  expect(await status()).toMatchObject({
    state: 'FAILED',
    error: { code: expect.any(String), message: expect.any(String), detail: expect.any(String) },
  });
  expect((await send('GET', `${path}/result`)).status).toBe(404);
});

test('the result of an AI job is available for fourteen days after its completion', async () => {
  const { pass, send, path } = await startJob();
  await pass(5000);
  expect((await send('GET', `${path}/result`)).body.detail).toContain('EXECUTING');
  await pass(5000);
  const { status, body: result } = await send('GET', `${path}/result`);
  expect(status).toBe(200);
  expect(Object.keys(result)).toEqual(['actions', 'message', 'resultSummary', 'topic', 'omniChatUrl']);
  await pass(14 * 86_400_000);
  expect((await send('GET', `${path}/result`)).status).toBe(404);
});

describe('cancel', () => {
  test('cancelling a queued AI job ends it at once, and can be repeated', async () => {
    const { send, path, status, pass } = await startJob();
    expect((await send('POST', `${path}/cancel`)).body).toMatchObject({ state: 'CANCELLED' });
    expect((await send('POST', `${path}/cancel`)).body).toMatchObject({ state: 'CANCELLED' });
    await pass(60_000);
    expect((await status())['state']).toBe('CANCELLED');
  });

  test('cancelling an executing AI job ends it after its iteration', async () => {
    const { send, path, status, pass } = await startJob();
    await pass(1500);
    expect((await send('POST', `${path}/cancel`)).body).toMatchObject({ state: 'EXECUTING' });
    expect((await status())['state']).toBe('EXECUTING');
    await pass(3000);
    expect((await status())['state']).toBe('CANCELLED');
  });

  test('cancelling is too late for an AI job that delivers, and does nothing to a complete one', async () => {
    const { send, path, pass } = await startJob();
    await pass(9500);
    expect((await send('POST', `${path}/cancel`)).status).toBe(409);
    await pass(1000);
    expect((await send('POST', `${path}/cancel`)).body).toMatchObject({ state: 'COMPLETE' });
  });

  test('cancelling an AI job frees its conversation', async () => {
    const { send, path } = await startJob({ conversationId: ids.conversation });
    const next = { ...body, conversationId: ids.conversation };
    expect((await send('POST', '/v1/ai/jobs', next)).status).toBe(409);
    await send('POST', `${path}/cancel`);
    expect((await send('POST', '/v1/ai/jobs', next)).status).toBe(201);
  });
});

test.each(['', '/result', '/cancel'])(
  'the operation jobs%s checks who may see the job, and refuses what is not a job',
  async (tail) => {
    const { send, asAna, path } = await startJob();
    const method = tail === '/cancel' ? 'POST' : 'GET';
    expect((await send(method, path + tail, undefined, asAna)).status).toBe(403);
    expect((await send(method, `/v1/ai/jobs/${ids.stranger}${tail}`)).status).toBe(404);
    expect((await send(method, `/v1/ai/jobs/x${tail}`)).status).toBe(400);
    expect((await send(method, `${path}${tail}?a=1`)).status).toBe(400);
  },
);

test('time passes by itself in an emulator by default', async () => {
  const { emulator, send, jobId } = await startJob({}, { now: Date.now, sleep: async () => {}, jobDurationMs: 5 });
  await expect.poll(() => emulator.data().jobs.find(({ id }) => id === jobId)?.status).toBe('COMPLETE');
  expect((await send('GET', `/v1/ai/jobs/${jobId}`)).status).toBe(200);
});
