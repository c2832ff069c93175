// Intents that are announced ahead, where each write of the journal takes seconds: how much time that saves under the
// rate limit, how little a crash leaves open, and that an orderly end leaves nothing open.

import { describe, expect, it } from 'vitest';
import type { JournalIntent } from '../../src/model/plan/journal.ts';
import type { State } from '../../src/model/plan/state.ts';
import { lostCreate, schedule, stateOf } from '../support/apply/declared.ts';
import { makeLimitedApi } from '../support/apply/limited-api.ts';
import { makePacedStore, type Pace, type PacedStore } from '../support/apply/paced-store.ts';
import { baseUrl, type Stage, serviceFailure, stage } from '../support/apply/stage.ts';
import { makeFakeClock } from '../support/fake-clock.ts';
import { type MemorySchedule, type MemoryService, madeId, makeMemoryService } from '../support/memory-service.ts';

const start = Date.UTC(2026, 2, 1);
const windows = { repeatable: 60, found: 20 };
const fewer = { repeatable: 60, found: 8 };
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

describe('an apply of many changes under a limit of 60 requests a minute', () => {
  type Changes = 'creates' | 'updates' | 'creates with operations core';

  async function simulate(pace: Pace, changes: Changes, count = 200) {
    const clock = makeFakeClock(start);
    const store = makePacedStore(clock, pace);
    const service = makeLimitedApi(clock, { rateLimit: 60, concurrency, requestMs: 300 });
    const keys = keysOf(count);
    if (changes === 'updates') store.stored = { state: tracked(keys), journal: undefined };
    const operations = changes === 'creates with operations core' ? 'core' : 'full';
    const almanac = { api: { baseUrl, operations, rateLimit: 60, concurrency } };
    const instead = { clock, store, api: service.api };
    const made = stage({ schedules: named(keys, 'new ') }, { almanac, instead });
    let open = 0;
    const look = () => {
      open = Math.max(open, store.unresolved().length);
    };
    store.onWrite = look;
    service.onSent = look;
    const { document } = await clock.run(made.apply());
    expect(document?.summary).toMatchObject({ applied: count, failed: 0, skipped: 0 });
    expect(service.sent).toHaveLength(count);
    const seconds = (clock.now() - start) / 1000;
    return { seconds, open, writesAMinute: (store.writes.length / seconds) * 60, writes: store.writes.length };
  }

  const alone = new Map<Changes, ReturnType<typeof simulate>>();
  function simulateAlone(changes: Changes) {
    const simulated = alone.get(changes) ?? simulate({ latencyMs: 0 }, changes);
    alone.set(changes, simulated);
    return simulated;
  }

  it.each<[string, Changes, number, Pace]>([
    ['5 ms', 'creates', concurrency, { latencyMs: 5 }],
    ['5 ms', 'creates with operations core', concurrency, { latencyMs: 5 }],
    ['60 ms', 'creates', concurrency, { latencyMs: 60 }],
    ['60 ms', 'updates', concurrency, { latencyMs: 60 }],
    ['a second', 'creates', concurrency, { latencyMs: 1000 }],
    ['a second', 'creates with operations core', concurrency, { latencyMs: 1000 }],
    ['a second, six a minute', 'creates', 20, { latencyMs: 1000, paceMs: 10_000, windows }],
    ['a second, six a minute', 'updates', 60, { latencyMs: 1000, paceMs: 10_000, windows }],
    ['two seconds, six a minute', 'creates', 20, { latencyMs: 2000, paceMs: 10_000, windows }],
    ['two seconds, one a second', 'creates', 8, { latencyMs: 2000, paceMs: 1000, windows: fewer }],
    ['two seconds, one a second', 'updates', 60, { latencyMs: 2000, paceMs: 1000, windows: fewer }],
    ['a second, one in ten seconds', 'creates', 20, { latencyMs: 1000, paceMs: 10_000, burst: 1, windows }],
  ])(
    'where a write takes %s, an apply of 200 %s takes at most a tenth longer than the limit alone, and a crash leaves at most %i open',
    async (_, changes, most, pace) => {
      const { seconds, open, writesAMinute } = await simulate(pace, changes);
      expect(seconds).toBeLessThanOrEqual((await simulateAlone(changes)).seconds * 1.1);
      expect(open).toBeGreaterThan(1);
      expect(open).toBeLessThanOrEqual(most);
      if (pace.windows === windows) expect(writesAMinute).toBeLessThan(6);
    },
  );

  it('a small apply takes three writes where intents are announced ahead', async () => {
    const { seconds, writes } = await simulate({ latencyMs: 1000, paceMs: 10_000, windows }, 'creates', 10);
    expect(writes).toBe(3); // the lock, the intents, and the state with the release
    expect(seconds).toBeLessThan(5);
  });

  it('creates that nobody can look up are not announced ahead, however slow the writes are', async () => {
    const pace = { latencyMs: 1000, paceMs: 10_000, windows };
    expect((await simulate(pace, 'creates with operations core', 24)).open).toBe(concurrency);
  });
});

describe('a crash of a run that announces ahead', () => {
  const [creates, updates, deletes] = [keysOf(16), ['u1', 'u2', 'u3'], ['d1', 'd2', 'd3']];
  const before = tracked([...updates, ...deletes]);
  const almanac = { api: { baseUrl, rateLimit: 0, operations: 'full', concurrency } };
  const declared = { schedules: { ...named(creates), ...named(updates, 'new ') } };
  const request = { allowOrphans: true, force: true };

  interface Crash {
    readonly point: string;
    readonly at: number;
    readonly stored: PacedStore['stored'];
    readonly schedules: readonly (readonly [string, MemorySchedule])[];
    readonly open: readonly JournalIntent[];
  }

  /** A run whose requests and writes take time, and what a crash would leave at each of its points. */
  async function crashes(): Promise<readonly Crash[]> {
    const clock = makeFakeClock(start);
    const store = makePacedStore(clock, { latencyMs: 1000, paceMs: 10_000, windows: { repeatable: 8, found: 6 } });
    store.stored = { state: before, journal: undefined };
    const service = servedAt(clock);
    const found: Crash[] = [];
    const keep = (point: string) =>
      void found.push({
        point,
        at: clock.now(),
        stored: structuredClone(store.stored),
        schedules: [...service.schedules].map(([id, each]) => [id, { ...each }]),
        open: store.unresolved(),
      });
    service.reach = keep;
    store.onWrite = () => keep('after a write');
    const made = stage(declared, { almanac, instead: { clock, store, api: service.api } });
    const { document } = await clock.run(made.apply(request));
    expect(document?.summary).toMatchObject({ applied: 22, failed: 0 });
    return found;
  }

  function servedAt(clock: ReturnType<typeof makeFakeClock>): MemoryService {
    const service = makeMemoryService(clock);
    for (const [address, { id = '', attributes }] of Object.entries(before.resources)) {
      expect(address).toContain(String(attributes['name']));
      service.add(id, attributes as Parameters<MemoryService['add']>[1], new Date(start - 60_000).toISOString());
    }
    const { createSchedule } = service.api;
    let nth = 0;
    Object.assign(service.api, {
      createSchedule: async (...sent: Parameters<typeof createSchedule>) => {
        nth += 1;
        await clock.sleep(100 + ((nth * 70) % 400));
        const created = await createSchedule(...sent);
        await clock.sleep(100 + ((nth * 130) % 400));
        return created;
      },
    });
    return service;
  }

  it('a crash at any moment leaves at most a window of each kind open, and the next run creates nothing twice', async () => {
    const found = await crashes();
    expect(found.length).toBeGreaterThan(45);
    expect(Math.max(...found.map(({ open }) => open.length))).toBeGreaterThan(concurrency);
    for (const { point, at, stored, schedules, open } of found) {
      const kinds = open.map(({ action }) => (action === 'create' ? 'found' : 'repeatable'));
      expect(kinds.filter((kind) => kind === 'found').length, point).toBeLessThanOrEqual(6);
      expect(kinds.filter((kind) => kind === 'repeatable').length, point).toBeLessThanOrEqual(8);
      const clock = makeFakeClock(at + 120_000);
      const store = makePacedStore(clock, { latencyMs: 1000, paceMs: 10_000, windows });
      store.stored = stored;
      const service = makeMemoryService(clock, 500);
      for (const [id, each] of schedules) service.schedules.set(id, each);
      const next = stage(declared, { almanac, instead: { clock, store, api: service.api } });
      await clock.run(next.apply(request));
      const names = [...service.schedules.values()].map(({ attributes }) => String(attributes['name'])).sort();
      expect(names, point).toEqual([...updates.map((key) => `new ${key}`), ...creates].sort());
      expect(store.stored, point).toMatchObject({ journal: undefined, state: { unresolved: [] } });
      expect((await next.plan()).changes, point).toEqual([]);
    }
  }, 60_000);
});

describe('a create that was announced long before it was sent', () => {
  it('it is looked for until it must be listed, and is not created twice', async () => {
    const made = stage(
      { schedules: named(['a']) },
      {
        almanac: { api: { baseUrl, rateLimit: 0, operations: 'full' } },
        service: makeMemoryService,
        state: stateOf({}, { unresolved: [lostCreate('schedules.a', schedule('a'))] }),
      },
    );
    made.store.windows = windows;
    made.service.listLagMs = 20_000;
    made.service.add(madeId(9), schedule('a'));
    await made.apply();
    expect([...made.service.schedules.keys()]).toEqual([madeId(9)]);
    expect(made.store.stored.state).toMatchObject({ unresolved: [], resources: { 'schedules.a': { id: madeId(9) } } });
  });
});

describe('an orderly end of a run that announces ahead', () => {
  const keys = keysOf(12);
  const api = { baseUrl, rateLimit: 0, operations: 'full', concurrency: 2 };
  const intentsIn = ({ store }: Stage) => store.log.filter((line) => line.startsWith('intent'));

  function staged(answer: (name: string) => void) {
    const made = stage(
      { schedules: named(keys) },
      { almanac: { api }, answer: ({ name }) => void answer(String(name)) },
    );
    made.store.windows = windows;
    return made;
  }

  const expectNothingOpen = (made: Stage, sent: number) => {
    expect(made.fake.sent.length).toBeLessThanOrEqual(sent);
    expect(intentsIn(made)).toHaveLength(keys.length);
    expect(made.store.stored.journal).toBeUndefined();
    expect(made.store.stored.state?.unresolved ?? []).toEqual([]);
    expect(Object.keys(made.store.stored.state?.resources ?? {})).toHaveLength(made.fake.sent.length - 1);
  };

  it('a token that is refused leaves nothing open', async () => {
    const made = staged((name) => {
      if (name === keys[2]) throw serviceFailure('api-unauthorized', 401);
    });
    const { document } = await made.apply();
    expect(document?.summary).toMatchObject({ failed: 1 });
    expectNothingOpen(made, 4);
  });

  it('an interruption leaves nothing open', async () => {
    const stop = new AbortController();
    const made = staged((name) => {
      if (name === keys[2]) stop.abort();
    });
    const { document } = await made.apply({ signal: stop.signal });
    expect(document?.summary).toMatchObject({ applied: made.fake.sent.length, failed: 0 });
    expect(made.store.stored.state?.unresolved).toEqual([]);
    expect(intentsIn(made)).toHaveLength(keys.length);
  });

  it('a failure with --fail-fast leaves nothing open', async () => {
    const made = staged((name) => {
      if (name === keys[2]) throw serviceFailure('api-rejected', 400);
    });
    await made.apply({ failFast: true });
    expectNothingOpen(made, 4);
  });

  it('a journal that cannot be written any more leaves nothing open', async () => {
    const made = staged(() => undefined);
    made.store.windows = { found: 6 };
    let writes = 0;
    made.store.fail = (call, lines) => {
      if (call !== 'append' || lines.every(({ type }) => type === 'outcome')) return undefined;
      writes += 1;
      return writes > 1 ? serviceFailure('state-unwritable', 500) : undefined;
    };
    await expect(made.apply()).rejects.toMatchObject({ code: 'state-unwritable' });
    expect(made.fake.sent.length).toBeLessThan(keys.length);
    expect(made.store.stored.state?.unresolved).toEqual([]);
    expect(Object.keys(made.store.stored.state?.resources ?? {})).toHaveLength(made.fake.sent.length);
  });

  it('the intents of a window are written together, before the first request', async () => {
    const made = staged(() => undefined);
    await made.apply();
    expect(made.store.log.slice(0, keys.length + 2)).toEqual([
      'lock',
      'begin',
      ...keys.map((key) => `intent create schedules.${key}`),
    ]);
  });

  it('nothing is announced ahead where the store has no window', async () => {
    const made = staged(() => undefined);
    made.store.windows = {};
    await made.apply();
    const { log } = made.store;
    for (const nth of keys.keys()) {
      const outcomes = log.slice(0, log.indexOf(`intent create schedules.${keys[nth]}`)).filter(isOutcome);
      expect(outcomes.length).toBeGreaterThanOrEqual(nth + 1 - api.concurrency);
    }
  });

  it('schedules whose dashboard could not be set are not announced', async () => {
    const filters = { identifier: '12db1a0a', filters: { status: { values: ['x'] } } };
    const made = stage(
      { schedules: named(keys), dashboards: { d: filters } },
      {
        almanac: { api },
        answer: ({ name }) => {
          if (name === undefined) throw serviceFailure('api-rejected', 400);
          return {};
        },
      },
    );
    made.store.windows = windows;
    await made.apply();
    expect(intentsIn(made)).toEqual(['intent create dashboards.d']);
  });

  it('AI jobs are not announced ahead of their turn', async () => {
    const jobs = Object.fromEntries(
      keys.map((key) => [key, { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: `Say ${key}` }]),
    );
    const made = stage({ aiJobs: jobs }, { almanac: { api: { ...api, concurrency: 1 } } });
    made.store.windows = windows;
    await made.apply();
    const lines = made.store.log.filter((line) => !['lock', 'begin', 'release'].includes(line)).slice(0, -1);
    expect(lines.map((line) => line.split(' ')[0])).toEqual(keys.flatMap(() => ['intent', 'outcome']));
  });
});

const isOutcome = (line: string) => line.startsWith('outcome');
