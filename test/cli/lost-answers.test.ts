// What a network and a service do to an apply, over real HTTP: a POST whose answer is lost is never sent again on a
// guess, and what was surely not processed, or can safely be repeated, is sent again.

import { describe, expect, it } from 'vitest';
import type { Emulator, EmulatorOptions } from '../../src/emulator/emulator.ts';
import type { Fault } from '../../src/emulator/faults.ts';
import type { ApplyDocument } from '../../src/model/plan/apply-outcome.ts';
import { unaccounted } from '../support/resolve-by-hand.ts';
import type { Workspace } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const schedule = (name: string, fields: object = {}) => ({
  identifier: '12db1a0a',
  name,
  schedule: '0 9 ? * MON *',
  timezone: 'UTC',
  format: 'json',
  destinationType: 'webhook',
  url: 'https://hooks.example.com/in',
  ...fields,
});

interface Stage {
  readonly emulator: Emulator;
  readonly workspace: Workspace;
}

/** Its emulator has the workspace's instant clock's start as its time. */
async function openStage(options: EmulatorOptions, sections: object, api: object = {}): Promise<Stage> {
  const config = { safety: { maxDeletePercent: 100 } };
  const workspace = await openWorld({ 'schedules/all.yaml': sections }, { config, api, ...options });
  return { emulator: workspace.emulator, workspace };
}

const flat = (text: string) => text.replace(/\s+/g, ' ');
const sentBy = ({ emulator }: Stage, method: string) =>
  emulator.requests().filter((request) => request.method === method);
async function applyOnce({ workspace }: Stage, ...argv: readonly string[]) {
  const ran = await workspace.run('apply', '--auto-approve', '--format', 'json', ...argv);
  return { ...ran, document: JSON.parse(ran.stdout) as ApplyDocument };
}

const onPost = 'POST /v1/schedules';

describe.each<[string, Fault, object, RegExp]>([
  ['is dropped after the work', { fault: 'drop-after', on: onPost, at: 1 }, {}, /gave no answer/],
  ['breaks off', { fault: 'cut', on: onPost, at: 1 }, {}, /broke off/],
  ['is no JSON', { fault: 'garbage', on: onPost, at: 1 }, {}, /not JSON/],
  ['lacks the id', { fault: 'no-id', on: onPost, at: 1 }, {}, /not as documented/],
  ['is ten megabytes', { fault: 'huge', on: onPost, at: 1 }, {}, /larger than 5 MB/],
  ['is a 500 after the work', { fault: '500-after', on: onPost, at: 1 }, {}, /answered 500/],
  ['is a 502 after the work', { fault: '502-after', on: onPost, at: 1 }, {}, /answered 502/],
  ['comes too late', { fault: 'latency', on: onPost, at: 1, ms: 1300 }, { timeout: 1 }, /no answer/],
])('the answer to a POST that %s', (_, fault, api, words) => {
  it('a POST whose answer is lost is sent once, and the next apply finds what it made', async () => {
    const stage = await openStage({ faults: [fault] }, { schedules: { a: schedule('A') } }, api);
    const { workspace, emulator } = stage;
    const first = await applyOnce(stage);
    expect(first).toMatchObject({
      code: 1,
      document: {
        summary: { applied: 0, failed: 0, skipped: 0, unknown: 1 },
        results: [{ status: 'unknown', requests: 1, error: { code: 'api-answer-lost' } }],
      },
    });
    expect(first.document.results[0]?.error?.message).toMatch(words);
    expect(first.document.results[0]?.error?.hint).toContain('the next apply looks in Omni');
    expect(workspace.state()).toMatchObject({
      resources: {},
      unresolved: [{ address: 'schedules.a', action: 'create' }],
    });
    expect(await workspace.plan()).toMatchObject({ unresolved: [{ address: 'schedules.a' }] });
    // A request that came too late is still processed.
    await expect.poll(() => emulator.data().schedules.length, { timeout: 5000 }).toBe(1);
    await expect.poll(() => sentBy(stage, 'POST').length).toBe(1);

    const again = await workspace.run('apply', '--auto-approve');
    expect(again.code, again.stdout + again.stderr).toBe(0);
    expect(flat(again.stderr)).toContain('schedules.a, sent at');
    expect(sentBy(stage, 'POST')).toHaveLength(1);
    expect((await workspace.plan()).changes).toEqual([]);
    expect(unaccounted(workspace, emulator)).toEqual([]);
  });

  it('a lost POST is refused with operations core before any request, with the ways out', async () => {
    const stage = await openStage(
      { faults: [fault], operations: 'core' },
      { schedules: { a: schedule('A') } },
      { ...api, operations: 'core' },
    );
    expect((await applyOnce(stage)).code).toBe(1);
    const sent = stage.emulator.requests().length;
    const again = await stage.workspace.run('apply', '--auto-approve');
    expect(again.code).toBe(1);
    for (const way of ['--id ID', '--retry'])
      expect(flat(again.stderr)).toContain(`almanac state resolve schedules.a ${way}`);
    expect(stage.emulator.requests()).toHaveLength(sent);
  });
});

it('a POST whose connection is dropped before the work is sent again only after a search', async () => {
  const stage = await openStage(
    { faults: [{ fault: 'drop-before', on: onPost, at: 1 }] },
    { schedules: { a: schedule('A') } },
  );
  expect((await applyOnce(stage)).document.summary.unknown).toBe(1);
  expect(sentBy(stage, 'POST')).toHaveLength(1);
  expect((await applyOnce(stage)).code).toBe(0);
  expect(sentBy(stage, 'POST')).toHaveLength(2);
  expect(stage.emulator.data().schedules).toHaveLength(1);
});

describe('what was surely not processed is sent again, whatever it is', () => {
  it.each<[string, Fault]>([
    ['429 with Retry-After', { fault: '429', retryAfter: 7, on: onPost, at: 1 }],
    ['429 without Retry-After', { fault: '429', on: onPost, at: 1 }],
    ['503 with Retry-After', { fault: '503', retryAfter: 7, on: onPost, at: 1 }],
  ])('a request that was surely not processed is sent again: %s', async (_, fault) => {
    const stage = await openStage({ faults: [fault] }, { schedules: { a: schedule('A') } });
    const { code, document, stderr } = await applyOnce(stage);
    expect({ code, results: document.results }).toMatchObject({
      code: 0,
      results: [{ status: 'applied', requests: 2 }],
    });
    expect(stage.emulator.data().schedules).toHaveLength(1);
    if (fault.retryAfter !== undefined) expect(stderr).toContain('Waiting 7 s');
    expect((await stage.workspace.plan()).changes).toEqual([]);
  });

  it('a POST after a 503 without Retry-After is never sent again, because it may have been processed', async () => {
    const stage = await openStage(
      { faults: [{ fault: '503', on: onPost, at: 1 }] },
      { schedules: { a: schedule('A') } },
    );
    expect((await applyOnce(stage)).document.results).toMatchObject([{ status: 'unknown', requests: 1 }]);
  });
});

describe('what may be repeated is repeated', () => {
  it.each<[string, string]>([
    ['PATCH', 'PATCH /v1/dashboards'],
    ['PUT', 'PUT /v1/schedules'],
    ['DELETE', 'DELETE /v1/schedules'],
  ])('a repeatable request is sent again: %s', async (method, on) => {
    const before = { schedules: { a: schedule('A'), b: schedule('B') } };
    const faults: Fault[] = (['drop-before', 'drop-after', '500', '503-after'] as const).map((fault, index) => ({
      fault,
      on,
      at: index + 1,
    }));
    const stage = await openStage({ faults }, before);
    await stage.workspace.apply();
    stage.workspace.write({
      'schedules/all.yaml': {
        schedules: { a: schedule('A', { url: 'https://hooks.example.com/new' }) },
        dashboards: { d: { identifier: '12db1a0a', filters: { region: { values: ['Europe'] } } } },
      },
    });
    const { code, document } = await applyOnce(stage);
    expect({ code, results: document.results }).toMatchObject({ code: 0 });
    expect(sentBy(stage, method).map(({ status }) => status)).toHaveLength(5);
    expect(stage.emulator.data().schedules).toHaveLength(1);
    expect((await stage.workspace.plan()).changes).toEqual([]);
  });
});

describe('an apply of forty resources over a bad line', () => {
  const names = Array.from({ length: 36 }, (_, index) => `s${String(index).padStart(2, '0')}`);
  const boards = { sales: '12db1a0a', orders: '3f9c2b71', health: '7ae01c55', finance: 'b4d86e20' };
  const declare = (version: number) => ({
    schedules: Object.fromEntries(
      names
        .filter((_, index) => (index + version) % 9 > 0)
        .map((name, index) => [
          name,
          schedule(name, {
            identifier: Object.values(boards)[index % 4],
            url: `https://hooks.example.com/${index % 3 === 0 ? version : 0}`,
            paused: (index + version) % 5 === 0 || undefined,
          }),
        ]),
    ),
    dashboards: { sales: { identifier: '12db1a0a', filters: { region: { values: [`v${version}`] } } } },
  });
  const faults: readonly Fault[] = [
    { fault: 'drop-after', p: 0.06, seed: 11 },
    { fault: 'drop-before', p: 0.06, seed: 12 },
    { fault: '500-after', p: 0.05, seed: 13 },
    { fault: '429', p: 0.05, seed: 14 },
    { fault: 'garbage', on: 'POST', p: 0.05, seed: 15 },
    { fault: '503', retryAfter: 1, p: 0.05, seed: 16 },
  ];

  it('an apply of forty resources over a bad connection converges when repeated, without duplicates', async () => {
    const stage = await openStage({ faults }, declare(0), { concurrency: 4 });
    const { workspace, emulator } = stage;
    let runs = 0;
    let open = 0;
    for (const version of [0, 1, 2]) {
      workspace.write({ 'schedules/all.yaml': declare(version) });
      for (let round = 1; ; round += 1) {
        expect(round).toBeLessThan(12);
        runs += 1;
        const { code, stderr } = await workspace.run('apply', '--auto-approve');
        open += workspace.state().unresolved.length;
        if (code === 0) break;
        expect(stderr).not.toContain('bug');
      }
      expect((await workspace.plan()).changes).toEqual([]);
      expect(unaccounted(workspace, emulator)).toEqual([]);
      const there = emulator
        .data()
        .schedules.map(({ fields }) => String(fields['name']))
        .sort();
      expect(there).toEqual(Object.keys(declare(version).schedules).sort());
    }
    expect(runs).toBeGreaterThan(3);
    expect(open).toBeGreaterThan(3);
  });
});
