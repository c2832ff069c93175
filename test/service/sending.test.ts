// What an interruption means for one change, over the real adapter: an answer that asks to wait is no end of it.

import { expect, onTestFinished, test } from 'vitest';
import type { CallOptions } from '../../src/service/api.ts';
import { connectHttpApi } from '../../src/service/http/http-api.ts';
import { finishWhatIsSent } from '../../src/service/sending.ts';
import { schedule } from '../support/apply/declared.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { type Act, answer, startServer } from '../support/state/scripted-server.ts';

const busy = answer(429, {}, { 'retry-after': '9' });
const made = answer(200, { id: 'a-1' });

async function against(script: readonly Act[]) {
  const server = await startServer([...script]);
  const clock = makeInstantClock();
  const api = await connectHttpApi({
    baseUrl: server.baseUrl,
    token: 'a',
    rateLimit: 0,
    concurrency: 1,
    timeout: 5,
    allowHttp: false,
    maxAttempts: 5,
    maxWait: 120,
    onWait: () => undefined,
    clock,
    version: '0',
    secrets: [],
    environment: {},
  });
  onTestFinished(async () => {
    await api.close();
    await server.close();
  });
  return { server, api, clock };
}

const create = (api: Awaited<ReturnType<typeof against>>['api']) => (options: CallOptions) =>
  api.createSchedule(schedule('S'), options);

test('a change whose first request the service told to wait is sent again after an interruption', async () => {
  const { server, api, clock } = await against([busy, made]);
  const off = new AbortController();
  const call = { signal: off.signal, onRequest: () => setImmediate(() => off.abort()) };
  expect(await finishWhatIsSent({ call }, create(api))).toMatchObject({ id: 'a-1' });
  expect(off.signal.aborted).toBe(true);
  expect(server.seen).toHaveLength(2);
  expect(clock.slept.some((ms) => ms >= 8000)).toBe(true);
});

test('a change that was not sent before the interruption is not started', async () => {
  const { server, api } = await against([made]);
  const call = { signal: AbortSignal.abort() };
  await expect(finishWhatIsSent({ call }, create(api))).rejects.toMatchObject({ code: 'interrupted' });
  expect(server.seen).toHaveLength(0);
});

test('a change that must not be finished is not sent again, though its first request went out', async () => {
  const { server, api } = await against([busy, made]);
  const ended = new AbortController();
  const call = { onRequest: () => setImmediate(() => ended.abort()) };
  const sent = finishWhatIsSent({ call, ended: ended.signal }, create(api));
  await expect(sent).rejects.toMatchObject({ code: 'interrupted' });
  expect(server.seen).toHaveLength(1);
});
