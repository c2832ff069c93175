// What an interruption means for one change, over the real adapter: an answer that asks to wait is no end of it.

import { expect, test } from 'vitest';
import { finishWhatIsSent } from '../../src/observe/sending.ts';
import type { Api, CallOptions } from '../../src/omni/api.ts';
import { schedule } from '../support/apply/declared.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { answer, openApi } from '../support/state/scripted-server.ts';

const busy = answer(429, {}, { 'retry-after': '9' });
const made = answer(200, { id: 'a-1' });

const quickly = { rateLimit: 0, concurrency: 1, maxAttempts: 5 };

const create = (api: Api) => (options: CallOptions) => api.createSchedule(schedule('S'), options);

test('a change whose first request the service told to wait is sent again after an interruption', async () => {
  const clock = makeInstantClock();
  const { server, api } = await openApi([busy, made], { ...quickly, clock });
  const off = new AbortController();
  const call = { signal: off.signal, onRequest: () => setImmediate(() => off.abort()) };
  expect(await finishWhatIsSent({ call }, create(api))).toMatchObject({ id: 'a-1' });
  expect(off.signal.aborted).toBe(true);
  expect(server.seen).toHaveLength(2);
  expect(clock.slept.some((ms) => ms >= 8000)).toBe(true);
});

test('a change that was not sent before the interruption is not started', async () => {
  const { server, api } = await openApi([made], quickly);
  const call = { signal: AbortSignal.abort() };
  await expect(finishWhatIsSent({ call }, create(api))).rejects.toMatchObject({ code: 'interrupted' });
  expect(server.seen).toHaveLength(0);
});

test('a change that must not be finished is not sent again, though its first request went out', async () => {
  const { server, api } = await openApi([busy, made], quickly);
  const ended = new AbortController();
  const call = { onRequest: () => setImmediate(() => ended.abort()) };
  const sent = finishWhatIsSent({ call, ended: ended.signal }, create(api));
  await expect(sent).rejects.toMatchObject({ code: 'interrupted' });
  expect(server.seen).toHaveLength(1);
});
