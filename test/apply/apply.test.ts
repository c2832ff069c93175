// An apply from the lock to the written state: what is sent and recorded in which order, and what remains when
// something breaks.

import { describe, expect, it } from 'vitest';
import type { Applied } from '../../src/apply/apply-request.ts';
import type { Journal } from '../../src/model/plan/journal.ts';
import type { State } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import type { Api } from '../../src/service/api.ts';
import { parseState } from '../../src/state/format/parse-state.ts';
import { renderState } from '../../src/state/format/render-state.ts';
import { schedule, stateOf } from '../support/apply/declared.ts';
import { type Answer, baseUrl, serviceFailure, stage, unwritable } from '../support/apply/stage.ts';

const dashboard = (identifier: string): JsonObject => ({ identifier, filters: { status: { values: ['x'] } } });
const aiJob = (prompt: string): JsonObject => ({ modelId: '770e8400-e29b-41d4-a716-446655440002', prompt });

const statuses = ({ document }: Applied) =>
  Object.fromEntries(document?.results.map(({ address, status }) => [address, status]) ?? []);
const errors = ({ document }: Applied) =>
  Object.fromEntries(document?.results.flatMap(({ address, error }) => (error ? [[address, error.code]] : [])) ?? []);

/** A schedule's answer by its name. */
function answers(by: Readonly<Record<string, Answer>>): Answer {
  return (attributes, options) =>
    by[String(attributes['name'] ?? attributes['identifier'])]?.(attributes, options) ?? {};
}
const rejects =
  (failure: Failure): Answer =>
  () =>
    Promise.reject(failure);
const abortingWith =
  (stop: AbortController): Answer =>
  () => {
    stop.abort();
    return { id: 'of a' };
  };
const lost = () => new Failure('api-answer-lost', 'It is not known whether POST /v1/schedules was carried out.');

describe('an apply', () => {
  it('an apply journals before and after each request, folds the journal at the end, and releases the lock', async () => {
    const made = stage({ schedules: { s: schedule('S') }, dashboards: { d: dashboard('d') } });
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
    expect(applied.document).toMatchObject({
      formatVersion: 1,
      summary: { applied: 2, failed: 0, skipped: 0, unknown: 0 },
      orphans: [],
    });
    expect(made.store.stored).toMatchObject({
      journal: undefined,
      state: {
        lineage: 'a-new-lineage',
        serial: 1,
        baseUrl,
        resources: {
          'schedules.s': { id: 'id 2', attributes: schedule('S') },
          'dashboards.d': { attributes: dashboard('d') },
        },
      },
    });
    expect(made.fake.closed).toBe(true);
    expect((await made.plan()).changes).toEqual([]);
  });

  it('an apply finishes all dashboards before it starts schedules, and those before AI jobs', async () => {
    const finished: string[] = [];
    const slowly: Answer = async ({ name, identifier, prompt }) => {
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      finished.push(String(name ?? prompt ?? identifier));
      return {};
    };
    const names = ['a', 'b', 'c'];
    const of = (make: (name: string) => JsonObject) => Object.fromEntries(names.map((name) => [name, make(name)]));
    const made = stage(
      {
        aiJobs: of(aiJob),
        schedules: of((name) => schedule(`S${name}`)),
        dashboards: of((name) => dashboard(`d${name}`)),
      },
      { answer: slowly },
    );
    await made.apply();
    expect(finished).toEqual(['da', 'db', 'dc', 'Sa', 'Sb', 'Sc', 'a', 'b', 'c']);
    expect(made.fake.sent.map((text) => text.split(' ')[0])).toEqual([
      ...names.map(() => 'PATCH'),
      ...names.map(() => 'POST'),
      ...names.map(() => 'RUN'),
    ]);
  });

  it.each([1, 3, 4])('an apply has at most %i requests under way, and reaches that number', async (concurrency) => {
    const schedules = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`s${index}`, schedule(`S${index}`)]),
    );
    const made = stage({ schedules }, { almanac: { api: { baseUrl, rateLimit: 0, concurrency } } });
    await made.apply();
    expect(made.fake.most).toBe(concurrency);
    expect(made.fake.sent).toHaveLength(12);
  });

  it('an apply of an empty plan writes nothing and sends nothing', async () => {
    const made = stage(
      { schedules: { s: schedule('S') } },
      { state: stateOf({ 'schedules.s': { id: 'x', attributes: schedule('S') } }) },
    );
    expect((await made.apply()).document).toMatchObject({ results: [], summary: { applied: 0 } });
    expect(made.store.log).toEqual(['lock', 'release']);
    expect({ asked: made.asked, connections: made.connections }).toEqual({ asked: [], connections: [] });
  });

  it('an apply that the user declines changes nothing', async () => {
    const made = stage({ schedules: { s: schedule('S') } });
    expect((await made.apply({ confirm: async () => false })).document).toBeUndefined();
    expect(made.store.log).toEqual(['lock', 'release']);
    expect(made.fake).toMatchObject({ sent: [], closed: true });
  });

  it('an apply that changes only the state opens no connection and needs no token', async () => {
    const made = stage(
      { schedules: { t: schedule('S') } },
      { state: stateOf({ 'schedules.s': { id: 'x', attributes: schedule('S') } }) },
    );
    made.environment = {};
    expect(statuses(await made.apply())).toEqual({ 'schedules.t': 'applied' });
    expect(made.connections).toEqual([]);
    expect(made.store.stored.state).toMatchObject({ serial: 8, resources: { 'schedules.t': { id: 'x' } } });
  });

  it('a replace with operations core keeps the old schedule listed as an orphan', async () => {
    const made = stage(
      { schedules: { s: schedule('S2') } },
      { state: stateOf({ 'schedules.s': { id: 'old', attributes: schedule('S') } }) },
    );
    const { document } = await made.apply({ allowOrphans: true });
    expect(document?.results).toMatchObject([
      { address: 'schedules.s', action: 'replace', status: 'applied', id: 'id 1', requests: 1 },
    ]);
    expect(document?.orphans).toMatchObject([{ id: 'old', address: 'schedules.s', name: 'S', identifier: '12db1a0a' }]);
    const again = await made.plan();
    expect(again).toMatchObject({ changes: [], orphans: [{ id: 'old' }] });
  });

  it('an apply keeps the outputs of a resource in the state and in its document', async () => {
    const outputs = { delivererRoleArn: 'arn:aws:iam::1:role/omni', externalId: 'x' };
    const s3 = {
      destinationType: 's3',
      bucketName: 'abc',
      region: 'eu-west-1',
      roleArn: 'arn:aws:iam::123456789012:role/omni',
    };
    const { url: _, ...rest } = schedule('S');
    const made = stage({ schedules: { s: { ...rest, ...s3 } } }, { answer: () => ({ id: 'new', outputs }) });
    expect((await made.apply()).document?.results[0]).toMatchObject({ id: 'new', outputs });
    expect(made.store.stored.state?.resources['schedules.s']).toMatchObject({ id: 'new', outputs });
  });

  it('an apply sends a dashboard only what changed', async () => {
    const before = { identifier: 'd', filters: { a: { values: ['1'] }, b: { values: ['2'] } } };
    const after = { identifier: 'd', filters: { a: { values: ['1'] }, b: { values: ['3'] } } };
    const made = stage({ dashboards: { d: after } }, { state: stateOf({ 'dashboards.d': { attributes: before } }) });
    await made.apply();
    expect(made.fake.bodies).toEqual([{ identifier: 'd', filters: { b: { values: ['3'] } } }]);
  });

  it('an update sends the last applied value of a field under ignoreChanges', async () => {
    const lifecycle = { ignoreChanges: ['url'] };
    const made = stage(
      { schedules: { s: schedule('S2', { url: 'https://new.example.com/', lifecycle }) } },
      { state: stateOf({ 'schedules.s': { id: 'old', attributes: schedule('S', { lifecycle }) } }) },
    );
    await made.apply({ allowOrphans: true });
    expect(made.fake.bodies).toMatchObject([{ name: 'S2', url: 'https://hooks.example.com/in' }]);
    expect((await made.plan()).changes).toEqual([]);
  });

  it('an apply never sends a fingerprint: a secret under ignoreChanges is sent with its current value', async () => {
    const lifecycle = { ignoreChanges: ['url'] };
    const made = stage({
      schedules: { s: schedule('S', { url: 'https://hooks.example.com/${env.HOOK}', lifecycle }) },
    });
    made.environment['HOOK'] = 'one';
    await made.apply();
    made.environment['HOOK'] = 'two';
    expect((await made.plan()).changes).toEqual([]);
    made.files['schedules/all.yaml'] = {
      schedules: { s: schedule('S2', { url: 'https://hooks.example.com/${env.HOOK}', lifecycle }) },
    };
    await made.apply({ allowOrphans: true });
    const url = made.fake.bodies[1]?.['url'] as { reveal?: () => string };
    expect(url.reveal?.()).toBe('https://hooks.example.com/two');
    expect((await made.plan()).changes).toEqual([]);
  });
});

describe('a failure', () => {
  it('a failed change does not stop independent changes, and the next plan contains it again', async () => {
    const made = stage(
      { schedules: { a: schedule('A'), b: schedule('B') } },
      { answer: answers({ A: rejects(serviceFailure('api-rejected', 400)) }) },
    );
    const applied = await made.apply();
    expect(statuses(applied)).toEqual({ 'schedules.a': 'failed', 'schedules.b': 'applied' });
    expect(errors(applied)).toEqual({ 'schedules.a': 'api-rejected' });
    expect(made.store.stored.state?.unresolved).toEqual([]);
    expect((await made.plan()).changes).toMatchObject([{ address: 'schedules.a', action: 'create' }]);
  });

  it('a failed dashboard skips the schedules on it and no others', async () => {
    const made = stage(
      {
        dashboards: { d: dashboard('12db1a0a'), e: dashboard('e') },
        schedules: { s: schedule('S'), t: schedule('T', { identifier: 'e' }) },
      },
      { answer: answers({ '12db1a0a': rejects(serviceFailure('api-rejected', 409)) }) },
    );
    const applied = await made.apply();
    expect(statuses(applied)).toEqual({
      'dashboards.d': 'failed',
      'dashboards.e': 'applied',
      'schedules.s': 'skipped',
      'schedules.t': 'applied',
    });
    expect(errors(applied)).toEqual({ 'dashboards.d': 'api-rejected', 'schedules.s': 'dependency-failed' });
    expect(made.fake.sent).not.toContain('POST S');
  });

  it('an apply whose only change failed leaves the state and its serial unchanged', async () => {
    const state = stateOf({ 'schedules.s': { id: 'old', attributes: schedule('S') } });
    const made = stage(
      { schedules: { s: schedule('S2') } },
      { state, answer: rejects(serviceFailure('api-rejected', 400)) },
    );
    await made.apply({ allowOrphans: true });
    expect(made.store.stored).toEqual({ state, journal: undefined });
  });

  it('an apply whose every change failed creates no state where there was none', async () => {
    const made = stage({ schedules: { s: schedule('S') } }, { answer: rejects(serviceFailure('api-rejected', 400)) });
    const saved = await made.save();
    const { document, state } = await made.apply();
    expect(document?.summary.failed).toBe(1);
    expect(state).toBeUndefined();
    expect(made.store.stored).toEqual({ state: undefined, journal: undefined });
    expect((await made.apply({ saved })).document?.summary.failed).toBe(1);
  });

  it('an answer of 401 stops the whole apply', async () => {
    const schedules = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key, schedule(key)]));
    const made = stage(
      { schedules, aiJobs: { j: aiJob('x') } },
      {
        answer: rejects(serviceFailure('api-unauthorized', 401)),
        almanac: { api: { baseUrl, rateLimit: 0, concurrency: 1 } },
      },
    );
    const applied = await made.apply();
    expect(made.fake.sent).toEqual(['POST a']);
    expect(applied.document?.summary).toEqual({ applied: 0, failed: 1, skipped: 6, unknown: 0 });
    expect(errors(applied)['aiJobs.j']).toBe('api-unauthorized');
  });

  it('an answer of 401 and --fail-fast cancel the requests that still wait for the rate limit', async () => {
    for (const [status, code] of [
      [401, 'api-unauthorized'],
      [400, 'fail-fast'],
    ] as const) {
      const waits: Api['createSchedule'] = (_, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          const end = () => reject(new Failure('interrupted', 'It waited.'));
          if (signal?.aborted) end();
          signal?.addEventListener('abort', end);
        });
      const refused = serviceFailure(status === 401 ? 'api-unauthorized' : 'api-rejected', status);
      const made = stage(
        { schedules: { a: schedule('a'), b: schedule('b') } },
        { answer: answers({ a: rejects(refused) }) },
      );
      const { createSchedule } = made.fake.api;
      Object.assign(made.fake.api, {
        createSchedule: (...request: Parameters<typeof createSchedule>) =>
          (request[0]['name'] === 'b' ? waits : createSchedule)(...request),
      });
      const applied = await made.apply({ failFast: true });
      expect(statuses(applied)).toEqual({ 'schedules.a': 'failed', 'schedules.b': 'skipped' });
      expect(errors(applied)['schedules.b']).toBe(code);
      expect(made.store.stored.state?.unresolved ?? []).toEqual([]);
    }
  });

  it('an answer of 403 does not stop the apply', async () => {
    const made = stage(
      { schedules: { a: schedule('a'), b: schedule('b') } },
      { answer: answers({ a: rejects(serviceFailure('api-unauthorized', 403)) }) },
    );
    expect(statuses(await made.apply())).toEqual({ 'schedules.a': 'failed', 'schedules.b': 'applied' });
  });

  it('a failure with --fail-fast stops the apply, and the requests under way are finished', async () => {
    const schedules = Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, schedule(key)]));
    const slowly: Answer = async ({ name }) => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      return { id: `of ${String(name)}` };
    };
    const made = stage(
      { schedules },
      {
        answer: answers({ a: rejects(serviceFailure('api-rejected', 400)), b: slowly }),
        almanac: { api: { baseUrl, rateLimit: 0, concurrency: 2 } },
      },
    );
    const applied = await made.apply({ failFast: true });
    expect(statuses(applied)).toEqual({
      'schedules.a': 'failed',
      'schedules.b': 'applied',
      'schedules.c': 'skipped',
      'schedules.d': 'skipped',
    });
    expect(errors(applied)['schedules.c']).toBe('fail-fast');
    expect(made.store.stored.state?.resources['schedules.b']).toMatchObject({ id: 'of b' });
  });

  it('a bug in Almanac is thrown only after everything was recorded', async () => {
    const made = stage(
      { schedules: { a: schedule('a'), b: schedule('b') } },
      {
        answer: answers({ a: rejects(new TypeError('oops') as Failure) }),
        almanac: { api: { baseUrl, rateLimit: 0, concurrency: 1 } },
      },
    );
    await expect(made.apply()).rejects.toThrow('oops');
    expect(made.fake.sent).toEqual(['POST a']);
    expect(made.store.stored).toMatchObject({
      journal: undefined,
      state: { unresolved: [{ address: 'schedules.a' }] },
    });
    expect(made.store.log.at(-1)).toBe('release');
  });
});

describe('a journal beside the state', () => {
  const header = {
    type: 'header',
    version: 2,
    lineage: 'a-lineage',
    serial: 7,
    baseUrl,
    salt: 'c2FsdA==',
    toolVersion: '0.1.0',
  } as const;
  const at = '2026-02-28T23:59:00.000Z';
  const post = { type: 'intent', action: 'create', identifier: '12db1a0a', at } as const;
  const journal: Journal = {
    header,
    lines: [
      { ...post, seq: 1, address: 'schedules.a', name: 'A', attributes: schedule('A') },
      { type: 'outcome', seq: 1, status: 'applied', id: 'a', at },
      { ...post, seq: 2, address: 'schedules.b', name: 'B', attributes: schedule('B') },
    ],
  };
  const broken = () =>
    stage({ schedules: { a: schedule('A'), b: schedule('B') } }, { state: stateOf({}), journal, answer: () => ({}) });
  const said = 'Replayed the journal of almanac.state.json: 3 entries of a run that broke off.';

  it('is replayed, and a plan and an apply say so', async () => {
    const made = broken();
    const { diagnostics, unresolved } = await made.plan();
    expect(diagnostics).toMatchObject([{ code: 'journal-replayed', message: said }]);
    expect(unresolved).toMatchObject([{ address: 'schedules.b' }]);
    await expect(made.apply()).rejects.toMatchObject({ code: 'blocked' });
    expect(made.events).toContainEqual({ type: 'note', message: said });
  });

  it('of a run that is under way holds no request that was lost, and a plan says who is at work', async () => {
    const made = broken();
    const holder = { who: 'bo', host: 'ci-7', pid: 1, command: 'apply', since: at };
    made.store.lockHolder = async () => ({ holder, isDead: false });
    const { diagnostics, unresolved, changes } = await made.plan();
    expect(diagnostics).toMatchObject([{ code: 'run-under-way', message: expect.stringContaining('bo on ci-7') }]);
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
  const whole = stage(declared, { state });
  let journal: Journal | undefined;
  whole.store.fail = (call) => {
    if (call === 'append') journal = whole.store.stored.journal;
    return undefined;
  };
  await whole.apply();
  const { header, lines } = journal as Journal;
  for (const length of [0, ...lines.keys()]) {
    const made = stage(declared, { state, journal: { header, lines: lines.slice(0, length) } });
    await made.apply();
    expect(made.store.stored.state?.resources).toMatchObject({
      'schedules.b': { id: 'x' },
      'schedules.c': { id: 'y' },
    });
    expect((await made.plan()).changes).toEqual([]);
  }
});

describe('an id that the service gives twice', () => {
  it('in one run is an answer that was lost: no state with one id at two addresses is written', async () => {
    const answer = () => ({ id: 'same-id' });
    const made = stage({ schedules: { a: schedule('A'), b: schedule('B') } }, { answer });
    const { document } = await made.apply();
    expect(document?.results).toMatchObject([
      { address: 'schedules.a', status: 'applied', id: 'same-id' },
      {
        address: 'schedules.b',
        status: 'unknown',
        error: { code: 'api-answer-lost', message: expect.stringContaining('same-id') },
      },
    ]);
    const written = made.store.stored.state as State;
    expect(written).toMatchObject({ unresolved: [{ address: 'schedules.b', action: 'create' }] });
    expect(parseState(renderState(written), 'state')).toEqual(written);
  });

  it('although it is tracked already is an answer that was lost', async () => {
    const state = stateOf({ 'schedules.a': { id: 'same-id', attributes: schedule('A') } });
    const answer = () => ({ id: 'same-id' });
    const made = stage({ schedules: { a: schedule('A'), b: schedule('B') } }, { state, answer });
    expect((await made.apply()).document?.summary).toMatchObject({ applied: 0, unknown: 1 });
    expect(Object.keys(made.store.stored.state?.resources ?? {})).toEqual(['schedules.a']);
  });
});

describe('an answer that is lost', () => {
  it('a change whose answer was lost is unresolved, and blocks the next plan and apply before any request', async () => {
    const made = stage(
      { schedules: { a: schedule('A'), b: schedule('B') } },
      { answer: answers({ A: rejects(lost()) }) },
    );
    const applied = await made.apply();
    expect(statuses(applied)).toEqual({ 'schedules.a': 'unknown', 'schedules.b': 'applied' });
    expect(made.store.stored.state?.unresolved).toMatchObject([
      { address: 'schedules.a', action: 'create', name: 'A', identifier: '12db1a0a', attributes: schedule('A') },
    ]);
    const plan = await made.plan();
    expect(plan.changes).toMatchObject([
      { address: 'schedules.a', blocked: expect.stringContaining('almanac state resolve schedules.a') },
    ]);
    const sent = made.fake.sent.length;
    await expect(made.apply()).rejects.toMatchObject({
      code: 'blocked',
      message: expect.stringContaining('state resolve schedules.a'),
    });
    expect(made.fake.sent).toHaveLength(sent);
  });

  it('a PATCH whose answer was lost is sent again in full, and is then resolved', async () => {
    const made = stage({ dashboards: { d: dashboard('d') } }, { answer: rejects(lost()) });
    expect(statuses(await made.apply())).toEqual({ 'dashboards.d': 'unknown' });
    const again = stage({ dashboards: { d: dashboard('d') } }, { state: made.store.stored.state as State });
    expect(statuses(await again.apply())).toEqual({ 'dashboards.d': 'applied' });
    expect(again.store.stored.state?.unresolved).toEqual([]);
    expect((await again.plan()).changes).toEqual([]);
  });
});

describe('an interruption', () => {
  it('an interrupted apply starts nothing more, finishes the requests under way, and records them all', async () => {
    const stop = new AbortController();
    const schedules = Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, schedule(key)]));
    const made = stage(
      { schedules },
      {
        answer: answers({ a: abortingWith(stop) }),
        almanac: { api: { baseUrl, rateLimit: 0, concurrency: 2 } },
      },
    );
    const applied = await made.apply({ signal: stop.signal });
    expect(statuses(applied)).toEqual({
      'schedules.a': 'applied',
      'schedules.b': 'applied',
      'schedules.c': 'skipped',
      'schedules.d': 'skipped',
    });
    expect(errors(applied)['schedules.d']).toBe('interrupted');
    expect(Object.keys(made.store.stored.state?.resources ?? {})).toEqual(['schedules.a', 'schedules.b']);
    expect(made.store.log.slice(-2)).toEqual(['commit serial 1', 'release']);
  });

  it('a request that waited and was not sent because of an interruption is skipped, not failed, and stays planned', async () => {
    const stop = new AbortController();
    const waiting: Answer = () => {
      stop.abort();
      return Promise.reject(new Failure('interrupted', 'Interrupted before the request was sent.'));
    };
    const made = stage({ schedules: { a: schedule('A') } }, { answer: waiting });
    const applied = await made.apply({ signal: stop.signal, failFast: true });
    expect(statuses(applied)).toEqual({ 'schedules.a': 'skipped' });
    expect(made.store.stored.state).toBeUndefined();
    expect((await made.plan()).changes).toMatchObject([{ address: 'schedules.a', action: 'create' }]);
  });
});

describe('a disk that fails', () => {
  it('an apply sends nothing if the disk fails on the first line of the journal', async () => {
    const made = stage({ schedules: { a: schedule('A') } });
    made.store.fail = (call) => (call === 'begin' ? unwritable() : undefined);
    await expect(made.apply()).rejects.toMatchObject({ code: 'state-unwritable' });
    expect(made.fake).toMatchObject({ sent: [], closed: true });
    expect(made.store.log).toEqual(['lock', 'release']);
  });

  it('an apply does not send a request, nor any after it, if the disk fails on its intent', async () => {
    const schedules = Object.fromEntries(['a', 'b', 'c'].map((key) => [key, schedule(key)]));
    const made = stage({ schedules }, { almanac: { api: { baseUrl, rateLimit: 0, concurrency: 1 } } });
    made.store.fail = (call, lines) =>
      call === 'append' && lines.some((line) => line.type === 'intent' && line.address === 'schedules.b')
        ? unwritable()
        : undefined;
    await expect(made.apply()).rejects.toMatchObject({ code: 'state-unwritable' });
    expect(made.fake.sent).toEqual(['POST a']);
    expect(made.store.stored.state).toMatchObject({ resources: { 'schedules.a': { id: 'id 1' } }, unresolved: [] });
  });

  it('an id still reaches the state if the disk fails on the outcome of its request', async () => {
    const schedules = Object.fromEntries(['a', 'b'].map((key) => [key, schedule(key)]));
    const made = stage({ schedules }, { almanac: { api: { baseUrl, rateLimit: 0, concurrency: 1 } } });
    made.store.fail = (call, lines) =>
      call === 'append' && lines.some(({ type }) => type === 'outcome') ? unwritable() : undefined;
    await expect(made.apply()).rejects.toMatchObject({ code: 'state-unwritable' });
    expect(made.fake.sent).toEqual(['POST a']);
    expect(made.store.stored.state).toMatchObject({ resources: { 'schedules.a': { id: 'id 1' } }, unresolved: [] });
    expect(made.events.filter(({ type }) => type === 'change-ended')).toHaveLength(2);
  });

  it('an apply sends nothing if the disk fails on a change of the state alone', async () => {
    const made = stage(
      { schedules: { t: schedule('S'), u: schedule('U') } },
      { state: stateOf({ 'schedules.s': { id: 'x', attributes: schedule('S') } }) },
    );
    made.store.fail = (call) => (call === 'append' ? unwritable() : undefined);
    await expect(made.apply()).rejects.toMatchObject({ code: 'state-unwritable' });
    expect(made.fake.sent).toEqual([]);
    expect(made.store.stored.state).toMatchObject({ serial: 7, resources: { 'schedules.s': { id: 'x' } } });
  });

  it('the journal stays if the disk fails at the end of an apply, and the next apply folds it', async () => {
    const made = stage({ schedules: { a: schedule('A') } });
    made.store.fail = (call) => (call === 'commit' ? unwritable() : undefined);
    await expect(made.apply()).rejects.toMatchObject({ code: 'state-unwritable' });
    expect(made.store.stored.journal?.lines).toHaveLength(2);
    expect(made.store.log.at(-1)).toBe('release');
    made.store.fail = () => undefined;
    expect((await made.apply()).document?.results).toEqual([]);
    expect(made.store.stored).toMatchObject({
      journal: undefined,
      state: { serial: 1, resources: { 'schedules.a': { id: 'id 1' } } },
    });
    expect(made.fake.sent).toEqual(['POST A']);
  });

  it('an apply folds the journal of a run that died before it plans anything', async () => {
    const made = stage(
      { schedules: { a: schedule('A'), b: schedule('B') } },
      { almanac: { api: { baseUrl, rateLimit: 0, concurrency: 1 } } },
    );
    made.store.fail = (call, lines) =>
      call === 'commit' || lines.some((line) => line.type === 'outcome' && line.seq === 2) ? unwritable() : undefined;
    await expect(made.apply()).rejects.toBeInstanceOf(Failure);
    made.store.fail = () => undefined;
    // Its state was lost: only the journal says that b was started.
    await expect(made.apply()).rejects.toMatchObject({ code: 'blocked' });
    expect(made.store.stored.state).toMatchObject({
      resources: { 'schedules.a': { id: 'id 1' } },
      unresolved: [{ address: 'schedules.b' }],
    });
  });
});

describe('before the first request is refused', () => {
  const refused = async (made: ReturnType<typeof stage>, options = {}) => {
    const before = structuredClone(made.store.stored);
    const failure = (await made.apply(options).catch((error: unknown) => error)) as Failure;
    expect({ sent: made.fake.sent, asked: made.asked, stored: made.store.stored, log: made.store.log.at(-1) }).toEqual({
      sent: [],
      asked: [],
      stored: before,
      log: 'release',
    });
    return failure;
  };

  it('an apply is refused before the first request for missing secrets, each with its place', async () => {
    const made = stage({
      schedules: { s: schedule('S', { url: 'https://hooks.example.com/${env.HOOK}${env.OTHER}' }) },
    });
    made.environment['OTHER'] = 'x';
    const failure = await refused(made);
    expect(failure).toMatchObject({
      code: 'missing-secret',
      message: expect.stringContaining('HOOK'),
      findings: [{ severity: 'error', code: 'missing-variable' }],
    });
    expect(failure.message).not.toContain('OTHER');
  });

  it('an apply is not refused for a missing secret of a resource that is not a target', async () => {
    const made = stage({
      schedules: { s: schedule('S', { url: 'https://hooks.example.com/${env.HOOK}' }), t: schedule('T') },
    });
    expect(statuses(await made.apply({ targets: ['schedules.t'] }))).toEqual({ 'schedules.t': 'applied' });
  });

  it('an apply is refused for a missing secret of a target, and does not name those of other resources', async () => {
    const made = stage({
      schedules: {
        s: schedule('S', { url: 'https://hooks.example.com/${env.HOOK}' }),
        sa: schedule('T', { url: 'https://hooks.example.com/${env.OTHER}' }),
      },
    });
    expect((await refused(made, { targets: ['schedules.s'] })).findings).toMatchObject([
      { message: expect.stringContaining('HOOK') },
    ]);
  });

  it('an apply is refused for a missing secret of a target that is named by its previous address', async () => {
    const before = schedule('S', { url: 'https://hooks.example.com/' });
    const made = stage(
      {
        schedules: { t: schedule('S', { url: 'https://hooks.example.com/${env.HOOK}' }) },
        moved: [{ from: 'schedules.s', to: 'schedules.t' }],
      },
      { state: stateOf({ 'schedules.s': { id: 'x', attributes: before } }) },
    );
    expect(await refused(made, { targets: ['schedules.s'], allowOrphans: true })).toMatchObject({
      code: 'missing-secret',
    });
  });

  it('an apply without a token is refused before the first request, and names the configured variable', async () => {
    const made = stage({ schedules: { s: schedule('S') } });
    made.environment = { OMNI_API_TOKEN: '  ' };
    expect(await refused(made)).toMatchObject({ code: 'missing-token' });
    made.environment = { OMNI_API_TOKEN: 'omni_osk_one,omni_osk_two' };
    expect(await refused(made)).toMatchObject({ code: 'usage', message: expect.stringContaining('comma') });
    made.environment = {};
    expect((await refused(made)).message).toContain('OMNI_API_TOKEN and OMNI_API_KEY');
    const named = stage(
      { schedules: { s: schedule('S') } },
      { almanac: { api: { baseUrl, tokenEnv: 'OMNI_PROD_TOKEN' } } },
    );
    expect((await refused(named)).message).toContain('OMNI_PROD_TOKEN');
  });

  it('an apply without a base URL is refused before the first request', async () => {
    const made = stage({ schedules: { s: schedule('S') } }, { almanac: {} });
    expect(await refused(made)).toMatchObject({ code: 'missing-base-url' });
  });

  it('an apply is refused before the first request if the state belongs to another base URL', async () => {
    const made = stage(
      { schedules: { s: schedule('S') } },
      { state: stateOf({}, { baseUrl: 'https://other.omniapp.co/api' }) },
    );
    expect(await refused(made)).toMatchObject({
      code: 'state-conflict',
      message: expect.stringContaining('https://other.omniapp.co/api'),
    });
  });

  it('one refusal before the first request names orphans, too many deletions and protected resources', async () => {
    const lifecycle = { preventDestroy: true };
    const tracked = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [
        `schedules.s${index}`,
        { id: `id of ${index}`, attributes: schedule(`S${index}`, index === 0 ? { lifecycle } : {}) },
      ]),
    );
    const made = stage({ schedules: { s9: schedule('S9') } }, { state: stateOf(tracked) });
    const failure = await refused(made);
    expect(failure.code).toBe('blocked');
    for (const words of ['schedules.s0 is blocked', '9 schedules would keep running', '9 of 10 tracked resources'])
      expect(failure.message).toContain(words);
    expect(failure.hint).toContain('--allow-orphans');
    expect(failure.hint).toContain('--force');
    expect(await refused(made, { allowOrphans: true, force: true })).toMatchObject({ code: 'blocked' });
  });

  it('an apply says before its first request how long the rate limit makes it take', async () => {
    const schedules = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`s${index}`, schedule(`S${index}`)]));
    const made = stage({ schedules }, { almanac: { api: { baseUrl, rateLimit: 2 } } });
    expect((await made.apply()).document?.summary.applied).toBe(5);
    expect(made.expected).toEqual([{ requests: 5, sent: 0, seconds: 120 }]);
  });

  it('an apply is refused before the first request if nothing is declared and the state tracks resources', async () => {
    const made = stage({}, { state: stateOf({ 'dashboards.d': { attributes: dashboard('d') } }) });
    expect(await refused(made)).toMatchObject({
      code: 'invalid-workspace',
      findings: expect.arrayContaining([expect.objectContaining({ code: 'nothing-declared' })]),
    });
    expect((await made.apply({ allowEmpty: true })).document?.summary.applied).toBe(1);
  });

  it('an apply is refused before the first request if the digest is not the expected one', async () => {
    const made = stage({ schedules: { s: schedule('S') } });
    expect(await refused(made, { expect: 'f'.repeat(64) })).toMatchObject({
      code: 'plan-stale',
      message: expect.stringContaining('f'.repeat(64)),
    });
    const { digest } = await made.plan();
    expect((await made.apply({ expect: digest })).document?.digest).toBe(digest);
  });

  it('an apply is refused before the first request while another run holds the lock', async () => {
    const made = stage({ schedules: { s: schedule('S') } });
    made.store.fail = (call) => (call === 'lock' ? new Failure('state-locked', 'It is locked by bo.') : undefined);
    await expect(made.apply()).rejects.toMatchObject({ code: 'state-locked' });
    expect(made.fake.sent).toEqual([]);
  });
});

describe('what an apply reports', () => {
  it('an apply reports each change as it starts and ends, with a correct count', async () => {
    const made = stage({ schedules: { s: schedule('S') }, dashboards: { d: dashboard('d') } });
    await made.apply();
    expect(
      made.events.map((event) => ('change' in event ? `${event.type} ${event.change.address}` : event.type)),
    ).toEqual([
      'started',
      'change-started dashboards.d',
      'change-ended dashboards.d',
      'change-started schedules.s',
      'change-ended schedules.s',
    ]);
  });

  it('an apply says before the first request that userId needs an organization key', async () => {
    const made = stage({ schedules: { s: schedule('S', { userId: '987fcdeb-51a2-43d7-9b56-254415f67890' }) } });
    made.environment = { OMNI_API_TOKEN: 'omni_pat_x' };
    await made.apply();
    expect(made.events[0]).toMatchObject({
      type: 'note',
      code: 'user-id-needs-organization-key',
      message: expect.stringContaining('schedules.s'),
    });
  });

  it('an apply reports how many requests each change took', async () => {
    const twice: Answer = (_, options) => {
      options.onRequest?.('POST');
      return {};
    };
    const made = stage({ schedules: { s: schedule('S') } }, { answer: twice });
    expect((await made.apply()).document?.results[0]?.requests).toBe(2);
  });
});
