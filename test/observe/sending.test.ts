// What keeps a request from going out, over the real adapter. A run that has lost the lock of the state must not send
// anything, however long the request waited before: it is asked once it is the request's turn, and again as its first byte
// is written. An interruption starts nothing, and an answer that asks to wait is no end of a change.

import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/model/workspace/failure.ts';
import { finishWhatIsSent } from '../../src/observe/sending.ts';
import type { Api, CallOptions } from '../../src/omni/api.ts';
import { makeFakeClock } from '../support/fake-clock.ts';
import { type Act, answer, openApi, reset } from '../support/state/scripted-server.ts';
import { dashboard, hook } from '../support/vocabulary.ts';

const created = answer(201, { id: 'a-1', message: 'ok' });
const [schedule, filters] = [hook(), dashboard()];
const lost = () => new Failure('state-lock-lost', 'The lock was lost.');

describe('what is awaited before a request', () => {
  it('a request that waits for the rate limit is guarded when it is its turn, and not before', async () => {
    const clock = makeFakeClock();
    const { server, api } = await openApi([created], { clock, rateLimit: 1 });
    await api.createSchedule(schedule);
    const guarded: number[] = [];
    const started = clock.now();
    const second = api.createSchedule(schedule, {
      beforeRequest: async () => void guarded.push(clock.now() - started),
    });
    await clock.advance(59_000);
    expect(guarded).toEqual([]);
    await clock.advance(2000);
    await second;
    expect(guarded).toHaveLength(1);
    expect(guarded[0]).toBeGreaterThanOrEqual(60_000);
    expect(server.seen).toHaveLength(2);
  });

  it('a request that is repeated is guarded before each attempt', async () => {
    const { server, api } = await openApi([answer(500), answer(429), created]);
    let guarded = 0;
    await api.updateFilters(filters, {
      beforeRequest: async () => {
        guarded += 1;
        expect(server.seen).toHaveLength(guarded - 1);
      },
    });
    expect(guarded).toBe(3);
  });

  it('a request whose guard fails is not sent and takes no place in the rate limit', async () => {
    const { server, api } = await openApi([created], { clock: makeFakeClock(), rateLimit: 1 });
    const counted: string[] = [];
    const refused = { beforeRequest: () => Promise.reject(lost()), onRequest: () => counted.push('refused') };
    await expect(api.createSchedule(schedule, refused)).rejects.toMatchObject({ code: 'state-lock-lost' });
    await api.createSchedule(schedule);
    expect(server.seen).toHaveLength(1);
    expect(counted).toEqual([]);
  });
});

describe('what is asked as the first byte goes out', () => {
  it.each([
    ['a new connection', 0],
    ['a connection that is open already', 1],
  ])('a request over %s is not sent once it must not be', async (_, before) => {
    const { server, api } = await openApi([created]);
    for (let sent = 0; sent < before; sent += 1) await api.createSchedule(schedule);
    const failure = await api.createSchedule(schedule, { maySend: () => false }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'state-lock-lost', message: expect.stringContaining('was not sent') });
    expect(failure).toBeInstanceOf(Failure);
    await api.createSchedule(schedule);
    expect(server.seen).toHaveLength(before + 1);
  });

  it('a request is held back by what happens while its connection opens', async () => {
    const { server, api } = await openApi([created]);
    let holds = true;
    const sending = api.createSchedule(schedule, { beforeRequest: async () => undefined, maySend: () => holds });
    await Promise.resolve(); // the guard was asked, and the connection is being opened
    holds = false;
    await expect(sending).rejects.toMatchObject({ code: 'state-lock-lost' });
    expect(server.seen).toEqual([]);
  });

  it('a request that was held back is not repeated, and takes no place in the rate limit', async () => {
    const { server, api } = await openApi([answer(200, {})], { clock: makeFakeClock(), rateLimit: 1 });
    let asked = 0;
    const never = () => {
      asked += 1;
      return false;
    };
    await expect(api.updateFilters(filters, { maySend: never })).rejects.toMatchObject({ code: 'state-lock-lost' });
    expect(asked).toBe(1);
    await api.updateFilters(filters);
    expect(server.seen).toHaveLength(1);
  });

  it.each<[string, Act]>([
    ['without an answer', reset],
    ['with a 500', answer(500)],
  ])('a repeat that is held back leaves an earlier attempt that ended %s in doubt', async (_, act) => {
    const { server, api } = await openApi([act]);
    const failure = await api
      .updateFilters(filters, { maySend: () => server.seen.length === 0 })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'api-answer-lost', message: expect.stringContaining('may have succeeded') });
    expect(server.seen).toHaveLength(1);
  });

  it('a repeat that is held back after a 429 was surely not carried out', async () => {
    const { server, api } = await openApi([answer(429)]);
    const held = api.createSchedule(schedule, { maySend: () => server.seen.length === 0 });
    await expect(held).rejects.toMatchObject({ code: 'state-lock-lost' });
    expect(server.seen).toHaveLength(1);
  });
});

describe('a change at an interruption', () => {
  const busy = answer(429, {}, { 'retry-after': '9' });
  const quickly = { rateLimit: 0, concurrency: 1, maxAttempts: 5 };
  const create = (api: Api) => (options: CallOptions) => api.createSchedule(schedule, options);

  it('a change whose first request the service told to wait is sent again after an interruption', async () => {
    const { server, api, clock } = await openApi([busy, created], quickly);
    const off = new AbortController();
    const call = { signal: off.signal, onRequest: () => setImmediate(() => off.abort()) };
    expect(await finishWhatIsSent({ call }, create(api))).toMatchObject({ id: 'a-1' });
    expect(off.signal.aborted).toBe(true);
    expect(server.seen).toHaveLength(2);
    expect(clock.slept.some((ms) => ms >= 8000)).toBe(true);
  });

  it('a change that was not sent before the interruption is not started', async () => {
    const { server, api } = await openApi([created], quickly);
    const call = { signal: AbortSignal.abort() };
    await expect(finishWhatIsSent({ call }, create(api))).rejects.toMatchObject({ code: 'interrupted' });
    expect(server.seen).toHaveLength(0);
  });

  it('a change that must not be finished is not sent again, though its first request went out', async () => {
    const { server, api } = await openApi([busy, created], quickly);
    const ended = new AbortController();
    const call = { onRequest: () => setImmediate(() => ended.abort()) };
    const sent = finishWhatIsSent({ call, ended: ended.signal }, create(api));
    await expect(sent).rejects.toMatchObject({ code: 'interrupted' });
    expect(server.seen).toHaveLength(1);
  });
});
