// What a network and a service do to an apply, over real HTTP: a POST whose answer is lost is never sent again on a
// guess, and what was surely not processed, or can safely be repeated, is sent again.

import { expect, it } from 'vitest';
import type { Fault } from '../../src/emulator/faults.ts';
import type { ApplyDocument } from '../../src/model/plan/apply-outcome.ts';
import { unaccounted } from '../support/resolve-by-hand.ts';
import { hook, says } from '../support/vocabulary.ts';
import { openWorld, type World, type WorldOptions } from '../support/world.ts';

const sections = { schedules: { a: hook({ name: 'A' }) } };
const openStage = (fault: Fault | readonly Fault[], options: WorldOptions = {}, declared: object = sections) =>
  openWorld(
    { 'schedules/all.yaml': declared },
    { config: { safety: { maxDeletePercent: 100 } }, faults: [fault].flat(), ...options },
  );

const sentBy = ({ emulator }: World, method: string) =>
  emulator.requests().filter((request) => request.method === method);
async function applyOnce({ run }: World) {
  const ran = await run('apply', '--auto-approve', '--format', 'json');
  return { ...ran, document: JSON.parse(ran.stdout) as ApplyDocument };
}

const on = 'POST /v1/schedules';

it.each<[string, Fault, object, RegExp]>([
  ['is dropped after the work', { fault: 'drop-after', on, at: 1 }, {}, /gave no answer/],
  ['breaks off', { fault: 'cut', on, at: 1 }, {}, /broke off/],
  ['is no JSON', { fault: 'garbage', on, at: 1 }, {}, /not JSON/],
  ['lacks the id', { fault: 'no-id', on, at: 1 }, {}, /not as documented/],
  ['is ten megabytes', { fault: 'huge', on, at: 1 }, {}, /larger than 5 MB/],
  ['is a 500 after the work', { fault: '500-after', on, at: 1 }, {}, /answered 500/],
  ['is a 502 after the work', { fault: '502-after', on, at: 1 }, {}, /answered 502/],
  ['comes too late', { fault: 'latency', on, at: 1, ms: 1300 }, { timeout: 1 }, /no answer/],
  ['is dropped before the work', { fault: 'drop-before', on, at: 1 }, {}, /gave no answer/],
  ['is a 503 without Retry-After', { fault: '503', on, at: 1 }, {}, /answered 503/],
])('a POST whose answer %s is sent once, and the next apply looks for what it made', async (_, fault, api, words) => {
  const stage = await openStage(fault, { api });
  const isMade = fault.fault !== 'drop-before' && fault.fault !== '503';
  const first = await applyOnce(stage);
  expect(first).toMatchObject({
    code: 1,
    document: {
      summary: { applied: 0, failed: 0, skipped: 0, unknown: 1 },
      results: [{ status: 'unknown', requests: 1, error: { code: 'api-answer-lost' } }],
    },
  });
  expect(first.document.results[0]?.error?.message).toMatch(words);
  expect(first.document.results[0]?.error?.hint).toContain('the next apply first looks in Omni');
  const unresolved = [{ address: 'schedules.a', action: 'create' }];
  expect(stage.state()).toMatchObject({ resources: {}, unresolved });
  expect(await stage.plan()).toMatchObject({ unresolved });
  // A request that came too late is still processed.
  await expect.poll(() => stage.emulator.data().schedules.length, { timeout: 5000 }).toBe(isMade ? 1 : 0);
  await expect.poll(() => sentBy(stage, 'POST').length).toBe(1);

  const again = await stage.run('apply', '--auto-approve');
  expect(again.code, again.stdout + again.stderr).toBe(0);
  expect(again.stderr).toEqual(says(isMade ? 'schedules.a, sent at' : 'schedules.a, which was to be sent at'));
  expect(sentBy(stage, 'POST')).toHaveLength(isMade ? 1 : 2);
  expect((await stage.plan()).changes).toEqual([]);
  expect(unaccounted(stage, stage.emulator)).toEqual([]);
});

it('a lost POST is refused with operations core before any request, with the ways out', async () => {
  const stage = await openStage({ fault: 'drop-after', on, at: 1 }, { operations: 'core' });
  expect((await applyOnce(stage)).code).toBe(1);
  stage.asked();
  const again = await stage.run('apply', '--auto-approve');
  expect(again.code).toBe(1);
  for (const way of ['--id ID', '--retry'])
    expect(again.stderr).toEqual(says(`almanac state resolve schedules.a ${way}`));
  expect(stage.asked()).toEqual([]);
});

it.each([
  ['PATCH', 'PATCH /v1/dashboards'],
  ['PUT', 'PUT /v1/schedules'],
  ['DELETE', 'DELETE /v1/schedules'],
])('a request that can safely be repeated is sent again: %s', async (method, path) => {
  const faults = ['drop-before', 'drop-after', '500', '503-after'] as const;
  const stage = await openStage(
    faults.map((fault, index) => ({ fault, on: path, at: index + 1 })),
    {},
    { schedules: { a: hook({ name: 'A' }), b: hook({ name: 'B' }) } },
  );
  await stage.apply();
  stage.declare(
    { a: hook({ name: 'A', url: 'https://hooks.example.com/new' }) },
    { dashboards: { d: { identifier: '12db1a0a', filters: { region: { values: ['Europe'] } } } } },
  );
  const { code, document } = await applyOnce(stage);
  expect({ code, results: document.results }).toMatchObject({ code: 0 });
  expect(sentBy(stage, method)).toHaveLength(5);
  expect(stage.emulator.data().schedules).toHaveLength(1);
  expect((await stage.plan()).changes).toEqual([]);
});

it('what a lost create has made can be adopted under another address before the next apply finds it', async () => {
  const stage = await openStage({ fault: 'drop-after', on, at: 1 });
  await applyOnce(stage);
  const [made] = stage.emulator.data().schedules;
  stage.declare({ b: hook({ name: 'B' }) }, { adopt: [{ to: 'schedules.b', id: made?.id }] });
  const { code, stderr } = await stage.run('apply --auto-approve');
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: says('only what an entry of `adopt` names may come from it'),
  });
  expect(sentBy(stage, 'DELETE')).toEqual([]);
  expect(stage.state()).toMatchObject({ resources: { 'schedules.b': { id: made?.id } }, unresolved: [] });
  // It was adopted as it is in Omni.
  await stage.apply();
  expect(stage.emulator.data().schedules).toMatchObject([{ id: made?.id, fields: { name: 'B' } }]);
  await stage.expectQuiet();
});
