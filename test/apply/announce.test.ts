// Intents that are announced ahead, where each write of the journal takes seconds: how much time that saves under the
// rate limit, how little a crash leaves open, and that an orderly end leaves nothing open. What the next run makes of a
// crash is in property/killed-worlds.test.ts.

import { describe, expect, it } from 'vitest';
import type { State } from '../../src/model/plan/state.ts';
import type { CallOptions, Created } from '../../src/service/api.ts';
import { makeSlidingWindow } from '../../src/service/http/sliding-window.ts';
import { schedule, stateOf } from '../support/apply/declared.ts';
import { apiWith, baseUrl, breakAt, type Stage, stage } from '../support/apply/stage.ts';
import { type FakeClock, makeFakeClock } from '../support/fake-clock.ts';
import { madeId, makeMemoryService, refusal } from '../support/memory-service.ts';
import { type MemoryPlace, makeMemoryPlace } from '../support/state/memory-log.ts';
import { openMachine } from '../support/state/team-machine.ts';

const start = Date.UTC(2026, 2, 1);
const window = 20;
const concurrency = 4;
const keysOf = (count: number) => Array.from({ length: count }, (_, nth) => `s${String(nth).padStart(3, '0')}`);
const named = (keys: readonly string[], words = '') =>
  Object.fromEntries(keys.map((key) => [key, schedule(`${words}${key}`)]));

/** All of them tracked. */
const tracked = (keys: readonly string[]): State =>
  stateOf(
    Object.fromEntries(
      keys.map((key, nth) => [`schedules.${key}`, { id: madeId(1000 + nth), attributes: schedule(key) }]),
    ),
  );

interface Pace {
  /** Milliseconds of a write. */
  readonly latencyMs: number;
  /** After `burst` writes, one in so many milliseconds. */
  readonly paceMs?: number;
  readonly burst?: number;
}

/** A log whose writes take time, and where only so many may follow each other. */
function pacedPlace(clock: FakeClock, { latencyMs, paceMs = 0, burst = 6 }: Pace): MemoryPlace {
  const place = Object.assign(makeMemoryPlace(), { paceMs });
  let tokens = burst;
  let counted = clock.now();
  place.beforeAppend = async () => {
    if (paceMs > 0) {
      tokens = Math.min(burst, tokens + (clock.now() - counted) / paceMs);
      counted = clock.now();
      tokens -= 1;
      if (tokens < 0) await clock.sleep(-tokens * paceMs);
    }
    await clock.sleep(latencyMs);
  };
  return place;
}

/** A service under the rate limit of the real adapter, whose answers take 300 ms. `onSent` is called as a request goes out. */
function limitedService(clock: FakeClock, onSent: () => void) {
  const window = makeSlidingWindow({ clock, rateLimit: 60, concurrency });
  const { api, sent } = makeMemoryService(clock);
  const limited = async <T extends Created | undefined>(options: CallOptions = {}, send: () => Promise<T>) => {
    const release = await window.take(options.signal);
    const answer = await send();
    onSent();
    await clock.sleep(300);
    release(true);
    return answer;
  };
  return {
    api: {
      ...api,
      createSchedule: (...request: Parameters<typeof api.createSchedule>) =>
        limited(request[1], () => api.createSchedule(...request)),
      updateSchedule: async (...[, attributes, options]: Parameters<typeof api.updateSchedule>) =>
        void (await limited(options, () => api.createSchedule(attributes, options))),
    },
    sent: () => sent.length,
  };
}

/** How many intents without an outcome a crash would leave. */
function openIn({ entries }: MemoryPlace): number {
  const open = new Set<number>();
  for (const { kind, bytes } of entries) {
    if (kind === 'commit') open.clear();
    if (kind !== 'lines') continue;
    const { lines } = JSON.parse(new TextDecoder().decode(bytes)) as { lines: readonly string[] };
    for (const line of lines) {
      const { type, seq } = JSON.parse(line) as { type: string; seq: number };
      if (type === 'intent') open.add(seq);
      else open.delete(seq);
    }
  }
  return open.size;
}

describe('an apply of many changes under a limit of 60 requests a minute', () => {
  type Changes = 'creates' | 'updates' | 'creates with operations core';

  async function simulate(pace: Pace, changes: Changes, count = 200) {
    const clock = makeFakeClock(start);
    const place = pacedPlace(clock, pace);
    const { store } = openMachine(place.open(), { clock });
    let open = 0;
    const service = limitedService(clock, () => {
      open = Math.max(open, openIn(place));
    });
    const keys = keysOf(count);
    if (changes === 'updates') {
      const locked = await clock.run(store.lock('apply'));
      await clock.run(locked.commit(tracked(keys), { release: true }));
      await clock.advance(60_000);
    }
    const began = { at: clock.now(), writes: place.entries.length };
    const operations = changes === 'creates with operations core' ? 'core' : 'full';
    const almanac = { api: { baseUrl, operations, rateLimit: 60, concurrency } };
    const instead = { clock, store, api: service.api };
    const made = stage({ schedules: named(keys, 'new ') }, { almanac, instead });
    const { document } = await clock.run(made.apply());
    expect(document?.summary).toMatchObject({ applied: count, failed: 0, skipped: 0 });
    expect(service.sent()).toBe(count);
    const seconds = (clock.now() - began.at) / 1000;
    const writes = place.entries.length - began.writes;
    return { seconds, open, writesAMinute: (writes / seconds) * 60, writes };
  }

  const alone = new Map<Changes, ReturnType<typeof simulate>>();
  function simulateAlone(changes: Changes) {
    const simulated = alone.get(changes) ?? simulate({ latencyMs: 0 }, changes);
    alone.set(changes, simulated);
    return simulated;
  }

  it.each<[string, Changes, number, Pace]>([
    ['5 ms', 'creates', concurrency, { latencyMs: 5 }],
    ['60 ms', 'updates', concurrency, { latencyMs: 60 }],
    ['a second', 'creates with operations core', concurrency, { latencyMs: 1000 }],
    ['two seconds, six a minute', 'creates', 20, { latencyMs: 2000, paceMs: 10_000 }],
    ['two seconds, one a second', 'creates', 20, { latencyMs: 2000, paceMs: 1000 }],
  ])(
    'where a write takes %s, an apply of 200 %s takes at most a tenth longer than the limit alone, and a crash leaves at most %i open',
    async (_, changes, most, pace) => {
      const { seconds, open, writesAMinute } = await simulate(pace, changes);
      expect(seconds).toBeLessThanOrEqual((await simulateAlone(changes)).seconds * 1.1);
      expect(open).toBeGreaterThan(1);
      expect(open).toBeLessThanOrEqual(most);
      if (pace.paceMs === 10_000) expect(writesAMinute).toBeLessThan(6);
    },
  );

  it('creates that nobody can look up are not announced ahead, however slow the writes are', async () => {
    const pace = { latencyMs: 1000, paceMs: 10_000 };
    expect((await simulate(pace, 'creates with operations core', 24)).open).toBe(concurrency);
  });
});

describe('an orderly end of a run that announces ahead', () => {
  const keys = keysOf(12);
  const almanac = apiWith({ concurrency: 2 });
  const intentsIn = ({ store }: Stage) => store.log.filter((line) => line.startsWith('intent'));

  function staged() {
    const made = stage({ schedules: named(keys) }, { almanac });
    made.store.window = window;
    return made;
  }

  it.each([
    ['a token that is refused', refusal(401, 'api-unauthorized'), false],
    ['a failure with --fail-fast', refusal(400), true],
  ])('%s leaves nothing open', async (_, failure, failFast) => {
    const made = staged();
    breakAt(made, `before POST ${keys[2]}`, () => failure);
    expect((await made.apply({ failFast })).document?.summary).toMatchObject({ failed: 1 });
    expect(made.service.sent.length).toBeLessThanOrEqual(3);
    expect(intentsIn(made)).toHaveLength(keys.length);
    expect(made.store.stored.journal).toBeUndefined();
    expect(made.store.stored.state?.unresolved ?? []).toEqual([]);
    expect(Object.keys(made.store.stored.state?.resources ?? {})).toHaveLength(made.service.sent.length);
  });

  it('an interruption leaves nothing open', async () => {
    const stop = new AbortController();
    const made = staged();
    made.service.reach = (point) => {
      if (point === `before POST ${keys[2]}`) stop.abort();
    };
    const { document } = await made.apply({ signal: stop.signal });
    expect(document?.summary).toMatchObject({ applied: made.service.sent.length, failed: 0 });
    expect(made.store.stored.state?.unresolved).toEqual([]);
    expect(intentsIn(made)).toHaveLength(keys.length);
  });

  it('a journal that cannot be written any more leaves nothing open', async () => {
    const made = staged();
    made.store.window = 6;
    let writes = 0;
    made.store.fail = (call, lines) => {
      if (call !== 'append' || lines.every(({ type }) => type === 'outcome')) return undefined;
      writes += 1;
      return writes > 1 ? refusal(500, 'state-unwritable') : undefined;
    };
    await expect(made.apply()).rejects.toMatchObject({ code: 'state-unwritable' });
    expect(made.service.sent.length).toBeLessThan(keys.length);
    expect(made.store.stored.state?.unresolved).toEqual([]);
    expect(Object.keys(made.store.stored.state?.resources ?? {})).toHaveLength(made.service.sent.length);
  });

  it('the intents of a window are written together, before the first request', async () => {
    const made = staged();
    await made.apply();
    expect(made.store.log.slice(0, keys.length + 2)).toEqual([
      'lock',
      'begin',
      ...keys.map((key) => `intent create schedules.${key}`),
    ]);
  });

  it('schedules whose dashboard could not be set are not announced', async () => {
    const filters = { identifier: '12db1a0a', filters: { status: { values: ['x'] } } };
    const made = stage({ schedules: named(keys), dashboards: { d: filters } }, { almanac });
    breakAt(made, 'before PATCH', () => refusal(400));
    made.store.window = window;
    await made.apply();
    expect(intentsIn(made)).toEqual(['intent create dashboards.d']);
  });

  it('AI jobs are not announced ahead of their turn', async () => {
    const jobs = Object.fromEntries(
      keys.map((key) => [key, { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: `Say ${key}` }]),
    );
    const made = stage({ aiJobs: jobs }, { almanac: apiWith({ concurrency: 1 }) });
    made.store.window = window;
    await made.apply();
    const lines = made.store.log.filter((line) => !['lock', 'begin', 'release'].includes(line)).slice(0, -1);
    expect(lines.map((line) => line.split(' ')[0])).toEqual(keys.flatMap(() => ['intent', 'outcome']));
  });
});
