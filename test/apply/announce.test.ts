// Intents that are announced ahead: how few writes that takes, what is not announced because only a person could look it up,
// and that an orderly end leaves nothing open. What the next run makes of a crash is in property/killed-worlds.

import { expect, it } from 'vitest';
import type { Failure } from '../../src/model/workspace/failure.ts';
import { schedule } from '../support/apply/declared.ts';
import { apiWith, breakAt, type Stage, stage } from '../support/apply/stage.ts';
import { refusal } from '../support/emulator/service.ts';

const keys = Array.from({ length: 12 }, (_, nth) => `s${String(nth).padStart(2, '0')}`);
const schedules = Object.fromEntries(keys.map((key) => [key, schedule(key)]));
const filters = { identifier: '12db1a0a', filters: { status: { values: ['x'] } } };
const jobs = Object.fromEntries(
  keys.map((key) => [key, { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: `Say ${key}` }]),
);

const staged = (declared: Record<string, unknown> = { schedules }, operations = 'full') =>
  stage(declared, { almanac: apiWith({ concurrency: 2, operations }) });

/** The sizes of the writes of intents, and how many intents without an outcome a crash would leave at most. */
function watch({ store }: Stage) {
  const seen = { writes: [] as number[], open: 0 };
  let open = 0;
  store.fail = (call, lines) => {
    const count = (type: string) => lines.filter((line) => line.type === type).length;
    if (call !== 'append') return undefined;
    if (count('intent') > 0) seen.writes.push(count('intent'));
    open += count('intent') - count('outcome');
    seen.open = Math.max(seen.open, open);
    return undefined;
  };
  return seen;
}

it.each<[string, Parameters<typeof staged>, readonly number[], number]>([
  [
    'of all kinds are written together, before the first request',
    [{ schedules, dashboards: { d: filters } }],
    [13],
    13,
  ],
  ['of creates that nobody can look up go alone', [{ schedules }, 'core'], Array(12).fill(1), 2],
  ['of AI jobs go alone', [{ aiJobs: jobs }], Array(12).fill(1), 2],
  ['of AI jobs go alone, after those of the rest', [{ schedules, aiJobs: jobs }], [12, ...Array(12).fill(1)], 12],
])('the intents %s', async (_, given, writes, open) => {
  const made = staged(...given);
  const seen = watch(made);
  const count = writes.reduce((sum, each) => sum + each, 0);
  expect((await made.apply()).document?.summary).toMatchObject({ applied: count });
  expect(seen).toEqual({ writes, open });
});

/** What was not sent is neither open nor tracked. */
function expectOrderly(made: Stage) {
  const { journal, state } = made.store.stored;
  expect(journal).toBeUndefined();
  expect(state?.unresolved ?? []).toEqual([]);
  expect(Object.keys(state?.resources ?? {})).toHaveLength(made.service.sent.length);
  expect(made.service.sent.length).toBeLessThanOrEqual(3);
}

it.each<[string, string, (stop: AbortController) => void, number, boolean?]>([
  ['a token that is refused', 'before POST s02', () => fail(refusal(401, 'api-unauthorized')), 1],
  ['a failure with --fail-fast', 'before POST s02', () => fail(refusal(400)), 1, true],
  ['an interruption', 'before POST s01', (stop) => stop.abort(), 0],
])('%s leaves nothing open of what was announced', async (_, at, end, failed, failFast) => {
  const stop = new AbortController();
  const made = staged();
  made.service.reach = (point) => {
    if (point === at) end(stop);
  };
  const { document } = await made.apply({ failFast, signal: stop.signal });
  expect(document?.summary).toMatchObject({ applied: made.service.sent.length, failed });
  expectOrderly(made);
});

function fail(failure: Failure): never {
  throw failure;
}

it('a journal that cannot be written sends nothing of what was to be announced', async () => {
  const made = staged();
  made.store.fail = (call) => (call === 'append' ? refusal(500, 'state-unwritable') : undefined);
  await expect(made.apply()).rejects.toMatchObject({ code: 'state-unwritable' });
  expectOrderly(made);
  expect(made.service.sent).toEqual([]);
});

it('schedules whose dashboard could not be set are not open, although they were announced', async () => {
  const made = staged({ schedules, dashboards: { d: filters } });
  breakAt(made, 'before PATCH', () => refusal(400));
  expect((await made.apply()).document?.summary).toMatchObject({ applied: 0, failed: 1, skipped: 12 });
  expectOrderly(made);
  expect(made.service.sent.filter((request) => !request.startsWith('PATCH'))).toEqual([]);
});
