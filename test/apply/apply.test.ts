// An apply from the lock to the written state: what is sent and recorded in which order, and what remains when
// something breaks.

import { describe, expect, it } from 'vitest';
import type { Journal } from '../../src/model/plan/journal.ts';
import type { State } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { parseState, renderState } from '../../src/state/format/parse-state.ts';
import { schedule, stateOf } from '../support/apply/declared.ts';
import {
  apiWith,
  baseUrl,
  breakAt,
  core,
  type FakeStore,
  outcomesOf,
  type Stage,
  stage,
  unwritable,
} from '../support/apply/stage.ts';
import { madeId, refusal } from '../support/emulator/service.ts';
import { failureOf } from '../support/failure-of.ts';

const dashboard = (identifier: string): JsonObject => ({ identifier, filters: { status: { values: ['x'] } } });
const aiJob = (prompt: string): JsonObject => ({ modelId: '770e8400-e29b-41d4-a716-446655440002', prompt });
const named = (...keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, schedule(key)]));
const tracked = (name = 'S', fields: JsonObject = {}) =>
  stateOf({ 'schedules.s': { id: 'x', attributes: schedule(name, fields) } });
const oneByOne = { almanac: apiWith({ operations: 'core', concurrency: 1 }) };
const staged = (declared: Record<string, unknown>, rest: Parameters<typeof stage>[1] = {}) =>
  stage(declared, { almanac: core, ...rest });
/** Lets others run for a while. */
const slowly = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};
const isOutcome = ({ type }: { readonly type: string }) => type === 'outcome';

describe('an apply', () => {
  it('an apply journals before and after each request, folds the journal at the end, and releases the lock', async () => {
    const made = staged({ schedules: { s: schedule('S') }, dashboards: { d: dashboard('d') } });
    const applied = await made.apply();
    expect(made.store.log).toEqual([
      'lock',
      'begin',
      'intent create dashboards.d',
      'outcome applied',
      'intent create schedules.s',
      'outcome applied',
      'commit serial 1',
      'release',
    ]);
    const summary = { applied: 2, failed: 0, skipped: 0, unknown: 0 };
    expect(applied.document).toMatchObject({ formatVersion: 1, summary, orphans: [] });
    expect(made.store.stored).toMatchObject({
      journal: undefined,
      state: {
        lineage: 'a-lineage',
        serial: 1,
        baseUrl,
        resources: {
          'schedules.s': { id: madeId(1), attributes: schedule('S') },
          'dashboards.d': { attributes: dashboard('d') },
        },
      },
    });
    expect(made.service.closed).toBe(true);
    expect(
      made.events.map((event) => ('change' in event ? `${event.type} ${event.change.address}` : event.type)),
    ).toEqual([
      'started',
      'change-started dashboards.d',
      'change-ended dashboards.d',
      'change-started schedules.s',
      'change-ended schedules.s',
    ]);
    expect((await made.plan()).changes).toEqual([]);
  });

  it('an apply finishes all dashboards before it starts schedules, and those before AI jobs', async () => {
    const of = (make: (name: string) => JsonObject) =>
      Object.fromEntries(['a', 'b', 'c'].map((name) => [name, make(name)]));
    const made = staged({ aiJobs: of(aiJob), schedules: of(schedule), dashboards: of(dashboard) });
    const points: string[] = [];
    made.service.reach = async (point) => {
      points.push(point.replace(/ \w$/, ''));
      await slowly();
    };
    await made.apply();
    const half = (verb: string) => [...Array(3).fill(`before ${verb}`), ...Array(3).fill(`after ${verb}`)];
    expect(points).toEqual(['PATCH', 'POST', 'RUN'].flatMap(half));
  });

  it.each([1, 3, 4])('an apply has at most %i requests under way, and reaches that number', async (concurrency) => {
    const keys = Array.from({ length: 12 }, (_, index) => `s${index}`);
    const made = staged({ schedules: named(...keys) }, { almanac: apiWith({ operations: 'core', concurrency }) });
    let [running, most] = [0, 0];
    made.service.reach = async (point) => {
      running += point.startsWith('before') ? 1 : -1;
      most = Math.max(most, running);
      await Promise.resolve();
    };
    await made.apply();
    expect([most, made.service.sent.length]).toEqual([concurrency, 12]);
  });

  it('an apply of an empty plan writes nothing and sends nothing', async () => {
    const made = staged({ schedules: { s: schedule('S') } }, { state: tracked() });
    expect((await made.apply()).document).toMatchObject({ results: [], summary: { applied: 0 } });
    expect(made.store.log).toEqual(['lock', 'release']);
    expect({ asked: made.asked, connections: made.connections }).toEqual({ asked: [], connections: [] });
  });

  it('an apply says before the first request that userId needs an organization key', async () => {
    const made = staged({ schedules: { s: schedule('S', { userId: '987fcdeb-51a2-43d7-9b56-254415f67890' }) } });
    made.environment = { OMNI_API_TOKEN: 'omni_pat_x' };
    await made.apply();
    expect(made.events[0]).toMatchObject({
      type: 'note',
      code: 'user-id-needs-organization-key',
      message: expect.stringContaining('schedules.s'),
    });
  });
});

describe('a failure', () => {
  it('a refusal does not stop independent changes, and the next plan contains it again', async () => {
    const made = staged({ schedules: named('a', 'b') });
    breakAt(made, 'before POST a', () => refusal(400));
    const applied = await made.apply();
    expect(outcomesOf(applied)).toEqual({ 'schedules.a': 'failed api-rejected', 'schedules.b': 'applied' });
    expect(made.store.stored.state?.unresolved).toEqual([]);
    expect((await made.plan()).changes).toMatchObject([{ address: 'schedules.a', action: 'create' }]);
  });

  it('a failed dashboard skips the schedules on it and no others', async () => {
    const made = staged({
      dashboards: { d: dashboard('12db1a0a'), e: dashboard('e') },
      schedules: { s: schedule('S'), t: schedule('T', { identifier: 'e' }) },
    });
    breakAt(made, 'before PATCH 12db1a0a', () => refusal(409));
    expect(outcomesOf(await made.apply())).toEqual({
      'dashboards.d': 'failed api-rejected',
      'dashboards.e': 'applied',
      'schedules.s': 'skipped dependency-failed',
      'schedules.t': 'applied',
    });
    expect(made.service.sent).not.toContain('POST S');
  });

  it('an apply whose every change failed leaves a state and its serial unchanged, and creates none', async () => {
    for (const state of [tracked(), undefined]) {
      const made = staged({ schedules: { s: schedule('S2') } }, { state });
      breakAt(made, 'before POST', () => refusal(400));
      const saved = await made.save();
      const applied = await made.apply({ allow: { orphans: true } });
      expect(applied.document?.summary.failed).toBe(1);
      expect(applied.state).toEqual(state);
      expect(made.store.stored).toEqual({ state, journal: undefined });
      expect((await made.apply({ saved, allow: { orphans: true } })).document?.summary.failed).toBe(1);
    }
  });

  it('an answer of 401 stops the whole apply', async () => {
    const made = staged({ schedules: named('a', 'b', 'c'), aiJobs: { j: aiJob('x') } }, oneByOne);
    breakAt(made, 'before', () => refusal(401, 'api-unauthorized'));
    expect(outcomesOf(await made.apply())).toEqual({
      'schedules.a': 'failed api-unauthorized',
      'schedules.b': 'skipped api-unauthorized',
      'schedules.c': 'skipped api-unauthorized',
      'aiJobs.j': 'skipped api-unauthorized',
    });
    expect(made.service.sent).toEqual([]);
  });

  it.each([
    ['an answer of 401', refusal(401, 'api-unauthorized'), 'api-unauthorized'],
    ['--fail-fast', refusal(400), 'fail-fast'],
  ] as const)('%s cancels the requests that still wait for the rate limit', async (_, failure, code) => {
    const made = staged({ schedules: named('a', 'b') });
    breakAt(made, 'before POST a', () => failure);
    made.service.instead = ({ createSchedule }) => ({
      createSchedule: (...request) => {
        if (request[0]['name'] === 'a') return createSchedule(...request);
        return new Promise((_resolve, reject) => {
          const end = () => reject(new Failure('interrupted', 'It waited.'));
          if (request[1]?.signal?.aborted) end();
          request[1]?.signal?.addEventListener('abort', end);
        });
      },
    });
    expect(outcomesOf(await made.apply({ failFast: true }))).toEqual({
      'schedules.a': `failed ${failure.code}`,
      'schedules.b': `skipped ${code}`,
    });
    expect(made.store.stored.state?.unresolved ?? []).toEqual([]);
  });

  it('a failure with --fail-fast stops the apply, and the requests under way are finished', async () => {
    const almanac = apiWith({ operations: 'core', concurrency: 2 });
    const made = staged({ schedules: named('a', 'b', 'c', 'd') }, { almanac });
    made.service.reach = async (point) => {
      if (point === 'before POST a') throw refusal(400);
      await slowly();
    };
    expect(outcomesOf(await made.apply({ failFast: true }))).toEqual({
      'schedules.a': 'failed api-rejected',
      'schedules.b': 'applied',
      'schedules.c': 'skipped fail-fast',
      'schedules.d': 'skipped fail-fast',
    });
    expect(Object.keys(made.store.stored.state?.resources ?? {})).toEqual(['schedules.b']);
  });

  it('a bug in Almanac is thrown only after everything was recorded', async () => {
    const made = staged({ schedules: named('a', 'b') }, oneByOne);
    breakAt(made, 'after POST a', () => new TypeError('oops'));
    await expect(made.apply()).rejects.toThrow('oops');
    expect(made.service.sent).toEqual(['POST a']);
    expect(made.store.stored).toMatchObject({
      journal: undefined,
      state: { unresolved: [{ address: 'schedules.a' }] },
    });
    expect(made.store.log.at(-1)).toBe('release');
  });
});

describe('a journal beside the state', () => {
  const { lineage, serial, salt } = stateOf({});
  const header = { type: 'header', version: 2, lineage, serial, baseUrl, salt, toolVersion: '0.1.0' } as const;
  const at = '2026-02-28T23:59:00.000Z';
  const post = { type: 'intent', kind: 'request', action: 'create', identifier: '12db1a0a', at } as const;
  const journal: Journal = {
    header,
    lines: [
      { ...post, seq: 1, address: 'schedules.a', name: 'a', attributes: schedule('a') },
      { type: 'outcome', seq: 1, status: 'applied', id: 'a', at },
      { ...post, seq: 2, address: 'schedules.b', name: 'b', attributes: schedule('b') },
    ],
  };
  const broken = () => staged({ schedules: named('a', 'b') }, { state: stateOf({}), journal });
  const said = 'Replayed the journal of almanac.state.json: 3 entries of a run that broke off.';

  it('a journal beside the state is replayed, and a plan and an apply say so', async () => {
    const made = broken();
    const { diagnostics, unresolved } = await made.plan();
    expect(diagnostics).toMatchObject([{ code: 'journal-replayed', message: said }]);
    expect(unresolved).toMatchObject([{ address: 'schedules.b' }]);
    await expect(made.apply()).rejects.toMatchObject({ code: 'blocked' });
    expect(made.events).toContainEqual({ type: 'note', message: said });
  });

  it('of a run that is under way holds no request that was lost, and a plan says who is at work', async () => {
    const made = broken();
    const runUrl = 'https://ci.example.com/runs/7';
    const holder = { who: 'bo', host: 'ci-7', pid: 1, command: 'apply', since: at, runUrl };
    made.store.lockHolder = async () => ({ holder, isDead: false, expiresIn: 79.2 });
    const { diagnostics, unresolved, changes } = await made.plan();
    expect(diagnostics).toMatchObject([{ code: 'run-under-way' }]);
    for (const words of ['bo on ci-7', 'taken over in 80 s', runUrl]) expect(diagnostics[0]?.message).toContain(words);
    expect(unresolved).toEqual([]);
    expect(changes).toMatchObject([{ address: 'schedules.b', action: 'create' }]);
    expect(changes[0]?.blocked).toBeUndefined();
    made.store.lockHolder = async () => ({ holder, isDead: true });
    expect((await made.plan()).unresolved).toMatchObject([{ address: 'schedules.b' }]);
  });
});

it('moves whose journal breaks off anywhere are made by the next apply, and no id is lost', async () => {
  const declared = {
    schedules: { b: schedule('A'), c: schedule('B') },
    moved: [
      { from: 'schedules.a', to: 'schedules.b' },
      { from: 'schedules.b', to: 'schedules.c' },
    ],
  };
  const state = stateOf({
    'schedules.a': { id: 'x', attributes: schedule('A') },
    'schedules.b': { id: 'y', attributes: schedule('B') },
  });
  const whole = staged(declared, { state });
  let journal: Journal | undefined;
  whole.store.fail = (call) => {
    if (call === 'append') journal = whole.store.stored.journal;
    return undefined;
  };
  await whole.apply();
  const { header, lines } = journal as Journal;
  for (const length of [0, ...lines.keys()]) {
    const made = staged(declared, { state, journal: { header, lines: lines.slice(0, length) } });
    await made.apply();
    const resources = { 'schedules.b': { id: 'x' }, 'schedules.c': { id: 'y' } };
    expect(made.store.stored.state).toMatchObject({ resources });
    expect((await made.plan()).changes).toEqual([]);
  }
});

describe('an id that the service gives twice', () => {
  it.each([
    ['in one run', undefined, ['schedules.a']],
    ['although it is tracked already', stateOf({ 'schedules.a': { id: 'same-id', attributes: schedule('a') } }), []],
  ] as const)('%s is an answer that was lost: no state with one id at two addresses is written', async (...row) => {
    const [, state, applied] = row;
    const made = staged({ schedules: named('a', 'b') }, { state });
    made.service.answered = () => ({ id: 'same-id', outputs: {} });
    const { document } = await made.apply();
    const told = document?.results.filter(({ status }) => status === 'applied').map(({ address }) => address);
    expect(told).toEqual(applied);
    expect(document?.results.at(-1)).toMatchObject({
      address: 'schedules.b',
      status: 'unknown',
      error: { code: 'api-answer-lost', message: expect.stringContaining('same-id') },
    });
    const written = made.store.stored.state as State;
    expect(Object.keys(written.resources)).toEqual(['schedules.a']);
    expect(written).toMatchObject({ unresolved: [{ address: 'schedules.b', action: 'create' }] });
    expect(parseState(renderState(written), 'state')).toEqual(written);
  });
});

describe('an interruption', () => {
  it('an interrupted apply starts nothing more, finishes the requests under way, and records them all', async () => {
    const stop = new AbortController();
    const almanac = apiWith({ operations: 'core', concurrency: 2 });
    const made = staged({ schedules: named('a', 'b', 'c', 'd') }, { almanac });
    made.service.reach = async (point) => {
      await slowly();
      if (point === 'after POST a') stop.abort();
    };
    expect(outcomesOf(await made.apply({ signal: stop.signal }))).toEqual({
      'schedules.a': 'applied',
      'schedules.b': 'applied',
      'schedules.c': 'skipped interrupted',
      'schedules.d': 'skipped interrupted',
    });
    expect(Object.keys(made.store.stored.state?.resources ?? {})).toEqual(['schedules.a', 'schedules.b']);
    expect(made.store.log.slice(-2)).toEqual(['commit serial 1', 'release']);
  });

  it('a request that waited and was not sent because of an interruption is skipped, not failed, and stays planned', async () => {
    const stop = new AbortController();
    const made = staged({ schedules: named('a') });
    breakAt(made, 'before', () => {
      stop.abort();
      return new Failure('interrupted', 'Interrupted before the request was sent.');
    });
    const applied = await made.apply({ signal: stop.signal, failFast: true });
    expect(outcomesOf(applied)).toEqual({ 'schedules.a': 'skipped interrupted' });
    expect(made.store.stored.state).toBeUndefined();
    expect((await made.plan()).changes).toMatchObject([{ address: 'schedules.a', action: 'create' }]);
  });
});

describe('a disk that fails', () => {
  const moving = () => staged({ schedules: { t: schedule('S'), u: schedule('U') } }, { state: tracked() });
  const three = () => staged({ schedules: named('a', 'b', 'c') }, oneByOne);
  const madeFirst = { resources: { 'schedules.a': { id: madeId(1) } }, unresolved: [] };

  it.each<[string, string, () => Stage, FakeStore['fail'], readonly string[], object | undefined]>([
    [
      'on an intent',
      'sends neither its request nor any after it',
      three,
      (call, lines) =>
        call === 'append' && lines.some((line) => line.type === 'intent' && line.address === 'schedules.b')
          ? unwritable()
          : undefined,
      ['POST a'],
      madeFirst,
    ],
    [
      'on the outcome of a request',
      'still brings its id into the state',
      three,
      (call, lines) => (call === 'append' && lines.some(isOutcome) ? unwritable() : undefined),
      ['POST a'],
      madeFirst,
    ],
    [
      'on a change of the state alone',
      'sends nothing',
      moving,
      (call) => (call === 'append' ? unwritable() : undefined),
      [],
      { serial: 7, resources: { 'schedules.s': { id: 'x' } } },
    ],
  ])('if the disk fails %s, an apply %s', async (_, __, open, fail, sent, state) => {
    const made = open();
    made.store.fail = fail;
    await expect(made.apply()).rejects.toMatchObject({ code: 'state-unwritable' });
    expect(made.service.sent).toEqual(sent);
    expect(made.service.closed).toBe(true);
    if (state === undefined) expect(made.store.stored.state).toBeUndefined();
    else expect(made.store.stored.state).toMatchObject(state);
    expect(made.store.log.at(-1)).toBe('release');
    const told = (type: string) => made.events.filter((event) => event.type === type).length;
    expect(told('change-ended')).toBeGreaterThanOrEqual(told('change-started'));
  });

  it('the journal stays if the disk fails at the end of an apply, and the next apply folds it', async () => {
    const made = staged({ schedules: named('a') });
    made.store.fail = (call) => (call === 'commit' ? unwritable() : undefined);
    await expect(made.apply()).rejects.toMatchObject({ code: 'state-unwritable' });
    expect(made.store.stored.journal?.lines).toHaveLength(2);
    expect(made.store.log.at(-1)).toBe('release');
    made.store.fail = () => undefined;
    expect((await made.apply()).document?.results).toEqual([]);
    const resources = { 'schedules.a': { id: madeId(1) } };
    expect(made.store.stored).toMatchObject({ journal: undefined, state: { serial: 1, resources } });
    expect(made.service.sent).toEqual(['POST a']);
  });
});

it('a plan whose results the place of the state could not take is refused before the first request', async () => {
  const made = staged({ schedules: named('a', 'b') });
  await made.apply();
  made.files = { ...made.files, 'schedules/more.yaml': { schedules: named('c', 'd', 'e', 'f') } };
  Object.assign(made.store, { mostBytes: 2000 });
  made.service.sent.length = 0;
  expect(await failureOf(made.apply())).toMatchObject({
    code: 'refused',
    message: expect.stringContaining('almanac.state.json takes at most 0.0 MB'),
    hint: expect.stringContaining('Divide the workspace'),
  });
  expect(made.service.sent).toEqual([]);
  // What shrinks the state is always possible.
  const { 'schedules/more.yaml': _, ...others } = made.files;
  made.files = { ...others, 'schedules/all.yaml': { schedules: named('a') } };
  Object.assign(made.store, { mostBytes: 1 });
  expect((await made.apply({ allow: { orphans: true }, force: true })).document?.summary.applied).toBe(1);
});
