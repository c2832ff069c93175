// What a schedule does by itself: its last run follows from the clock, from faults and from what became of its dashboard.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { previousRun } from '../../src/cron/coming-runs.ts';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import { lastDue } from '../../src/emulator/runs.ts';
import { expressions } from '../support/cron/expressions.ts';
import { read } from '../support/cron/read.ts';
import { ids, startFull } from '../support/emulator/start-emulator.ts';
import { runs } from '../support/runs/runs.ts';

const daily = { schedule: '0 9 * * ? *', timezone: 'UTC' };

async function stage(options: EmulatorOptions = {}) {
  let time = Date.UTC(2026, 2, 1);
  const running = await startFull({ ...options, now: () => time });
  const { send } = running;
  return {
    ...running,
    until: (day: number, hour: number, minute = 0) => {
      time = Date.UTC(2026, 2, day, hour, minute);
    },
    row: async (id: string) => {
      const rows: readonly object[] = (await send('GET', '/v1/schedules?pageSize=100')).body.records;
      const row = rows.find((each) => 'id' in each && each.id === id) as Record<string, string | null> | undefined;
      const { lastStatus, lastCompletedAt, systemDisabledReason } = row ?? {};
      return [lastStatus, lastCompletedAt?.slice(5, 16), systemDisabledReason].filter((value) => value != null);
    },
    trigger: async (id: string) => (await send('POST', `/v1/schedules/${id}/trigger`)).status,
  };
}

test('a schedule was due when our own engine says so, in every zone and through every change of a clock', () => {
  const zone = fc.constantFrom('UTC', 'Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana');
  const instant = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) });
  fc.assert(
    fc.property(expressions({ unusual: true, years: [2026, 2030] }), zone, instant, (text, name, until) => {
      const from = until - 40 * 86_400_000;
      const ours = previousRun(read(text), name, until)?.at ?? 0;
      expect(lastDue(text, name, from, until)).toBe(ours > from ? ours : undefined);
    }),
    { numRuns: runs(300) },
  );
});

test('a schedule in a zone that this machine does not know never runs', async () => {
  const { create, row, until, emulator } = await stage();
  const id = await create('email', daily);
  emulator.edit(({ schedules: [schedule] }) => void Object.assign(schedule?.fields ?? {}, { timezone: 'Mars/Base' }));
  until(2, 12);
  expect(await row(id)).toEqual([]);
});

test('a schedule runs when it is due, and not while it is paused', async () => {
  const { create, row, until, send } = await stage();
  const id = await create('email', daily);
  until(1, 8, 59);
  expect(await row(id)).toEqual([]);
  until(2, 12);
  expect(await row(id)).toEqual(['COMPLETE', '03-02T09:00']);
  await send('PUT', `/v1/schedules/${id}/pause`);
  until(5, 12);
  await send('PUT', `/v1/schedules/${id}/resume`);
  expect(await row(id)).toEqual(['COMPLETE', '03-02T09:00']);
  until(6, 12);
  expect(await row(id)).toEqual(['COMPLETE', '03-06T09:00']);
});

test('a run takes a while, and nothing is triggered meanwhile', async () => {
  const { create, row, until, trigger } = await stage({ runDurationMs: 600_000 });
  const id = await create('email', daily);
  until(1, 9, 5);
  expect(await row(id)).toEqual([]);
  expect(await trigger(id)).toBe(409);
  until(1, 9, 10);
  expect(await row(id)).toEqual(['COMPLETE', '03-01T09:10']);
  expect([await trigger(id), await trigger(id)]).toEqual([200, 409]);
  until(1, 9, 20);
  expect(await row(id)).toEqual(['COMPLETE', '03-01T09:20']);
});

test.each([
  ['run-error', ['ERROR', '03-02T09:00']],
  ['run-delivered', ['ERROR_DELIVERED', '03-02T09:00']],
  ['run-killed', ['KILLED', '03-02T09:00']],
  ['run-unmet', ['CONDITION_UNMET', '03-02T09:00']],
  ['run-missed', ['COMPLETE', '03-01T09:00']],
] as const)('the fault %s decides how a run ends', async (fault, expected) => {
  const { create, row, until } = await stage({ faults: [{ fault, at: 2 }] });
  const id = await create('email', daily);
  until(1, 12);
  expect(await row(id)).toEqual(['COMPLETE', '03-01T09:00']);
  until(2, 12);
  expect(await row(id)).toEqual(expected);
});

test('a fault of runs names a schedule by its path', async () => {
  await expect(stage({ faults: [{ fault: 'run-error', on: 'POST /v1/schedules' }] })).rejects.toThrow(
    'without a method',
  );
});

test('the service stops a schedule whose owner, query or filter is no longer there when it runs', async () => {
  const { create, createOwnedBy, row, until, emulator } = await stage();
  const [owner, query, filter] = [
    await createOwnedBy(ids.ana, 'email', daily),
    await create('email', { ...daily, queryIdentifierMapKey: '1' }),
    await create('email', { ...daily, filterConfig: { region: {} } }),
  ];
  until(1, 12);
  await row(owner);
  emulator.edit(({ documents }) => {
    const document = documents.find(({ identifier }) => identifier === '12db1a0a');
    if (!document?.dashboard) throw new Error('the demo has no sales dashboard');
    Object.assign(document, { scope: 'restricted', ownerId: ids.cleo, sharedWith: [], sharedWithGroups: [] });
    document.dashboard.queryKeys = [];
    delete document.dashboard.filters['region'];
  });
  until(2, 12);
  expect(await row(owner)).toEqual(['COMPLETE', '03-01T09:00', 'noAccess']);
  expect(await row(query)).toEqual(['COMPLETE', '03-01T09:00', 'missingQuery']);
  expect(await row(filter)).toEqual(['COMPLETE', '03-01T09:00', 'orphanedFilterConfigKeys']);
});
