import { expect, test } from 'vitest';
import type { Change } from '../../src/model/plan/plan.ts';
import { type HourCounts, weekOfDeliveries } from '../../src/report/plan/week-of-deliveries.ts';
import * as samples from '../support/report/plan-samples.ts';

/** A Saturday. */
const now = Date.UTC(2026, 10, 21, 17, 30);

const timed = (schedule: string, timezone = 'Europe/London', more: object = {}) => ({
  ...samples.weeklySales,
  schedule,
  timezone,
  ...more,
});
const update = (before: string, after: string, zone?: string): Change => ({
  ...samples.updateChange,
  before: timed(before, zone),
  after: timed(after, zone),
});
const week = (changes: readonly Change[], operations: 'core' | 'full' = 'full') =>
  weekOfDeliveries(samples.planOf(changes, { operations }), now);

/** `day hour: count` of the hours in which something is delivered. */
const busy = (counts: HourCounts) =>
  counts.flatMap((hours, day) => hours.flatMap((count, hour) => (count === 0 ? [] : [`${day} ${hour}: ${count}`])));

test('a week of deliveries has seven whole days from the given day', () => {
  const { days, before, after } = week([update('0 9 ? * MON *', '30 8 ? * SAT,FRI *')]);
  expect([days[0], days.at(-1), days.length]).toEqual(['2026-11-21', '2026-11-27', 7]);
  expect(busy(before)).toEqual(['2 9: 1']);
  expect(busy(after)).toEqual(['0 8: 1', '6 8: 1']);
});

test('a week of deliveries uses the local days of the zone, on both sides of the date line', () => {
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
    const { before } = week([update('0 0 * * ? *', '0 0 * * ? *', zone)]);
    expect(busy(before)).toEqual([0, 1, 2, 3, 4, 5, 6].map((day) => `${day} 0: 1`));
  }
});

test('a week of deliveries counts a replaced schedule and its orphan as two deliveries', () => {
  const replace = { ...update('0 9 ? * MON *', '0 8 ? * MON *'), action: 'replace' } as const;
  expect(busy(week([replace], 'core').after)).toEqual(['2 8: 1', '2 9: 1']);
  expect(busy(week([replace], 'full').after)).toEqual(['2 8: 1']);
  expect(busy(week([{ ...replace, action: 'forget', after: null }], 'core').after)).toEqual(['2 9: 1']);
  expect(busy(week([{ ...replace, action: 'delete', after: null }], 'full').after)).toEqual([]);
});

test('a week of deliveries omits schedules that are paused, only tests, gone or unknown', () => {
  const create = (attributes: object) =>
    ({ ...samples.createChange, after: { ...timed('0 9 ? * MON *'), ...attributes } }) as Change;
  expect(busy(week([create({ paused: true }), create({ testNow: true })]).after)).toEqual([]);
  expect(busy(week([create({ schedule: '(known at apply)' }), create({ timezone: 'Mars/Base' })]).after)).toEqual([]);
  expect(busy(week([{ ...update('0 9 ? * MON *', '0 9 ? * MON *'), reason: 'missing' }]).before)).toEqual([]);
});

test('a week of deliveries counts an adopted schedule as delivered before', () => {
  const { before, after } = week([samples.adoptChange]);
  expect(busy(before)).toEqual(['2 9: 1']);
  expect(after).toEqual(before);
});
