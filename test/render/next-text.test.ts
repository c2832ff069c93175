import { describe, expect, test } from 'vitest';
import { busyMinutes } from '../../src/cron/busy-minutes.ts';
import type { NextDocument } from '../../src/model/plan/next.ts';
import { renderHeatMap } from '../../src/render/next/heat-map.ts';
import { renderNext } from '../../src/render/next/next-text.ts';
import { colourTheme, plainTheme } from '../../src/render/text/theme.ts';
import { stripSgr } from '../support/render/strip-sgr.ts';

const document: NextDocument = {
  formatVersion: 1,
  from: '2026-11-20T00:00:00.000Z',
  schedules: [
    {
      address: 'schedules.weekly-sales',
      schedule: '0 9 ? * MON *',
      timezone: 'America/New_York',
      description: 'at 09:00 on Monday',
      runs: [
        { at: '2026-11-23T14:00:00.000Z', local: '2026-11-23T09:00' },
        { at: '2026-11-30T14:00:00.000Z', local: '2026-11-30T09:00' },
      ],
    },
    {
      address: 'schedules.tokyo',
      schedule: '30 8 ? * TUE *',
      timezone: 'Asia/Tokyo',
      description: 'at 08:30 on Tuesday',
      runs: [{ at: '2026-11-23T23:30:00.000Z', local: '2026-11-24T08:30' }],
    },
    {
      address: 'schedules.launch',
      schedule: '0 9 1 6 ? 2026',
      timezone: 'UTC',
      description: 'at 09:00 on day 1 in June 2026',
      runs: [],
    },
  ],
};
const page = { theme: plainTheme, width: 80 };
const counted = { days: undefined, busy: [], paused: 0 };

test('next prints all runs in order, in UTC and local time, and then the schedules in words', () => {
  expect(`\n${renderNext(document, page, counted)}`).toMatchInlineSnapshot(`
    "
    Mon 2026-11-23
      14:00 UTC  09:00 America/New_York       schedules.weekly-sales
      23:30 UTC  2026-11-24 08:30 Asia/Tokyo  schedules.tokyo

    Mon 2026-11-30
      14:00 UTC  09:00 America/New_York       schedules.weekly-sales

    schedules.weekly-sales: at 09:00 on Monday, America/New_York (0 9 ? * MON *)
    schedules.tokyo: at 08:30 on Tuesday, Asia/Tokyo (30 8 ? * TUE *)
    schedules.launch: at 09:00 on day 1 in June 2026, UTC (0 9 1 6 ? 2026)
      never runs again
    "
  `);
});

test('next counts paused schedules, which it omits', () => {
  expect(renderNext(document, page, { ...counted, paused: 2 })).toMatch(/\n\n2 paused schedules are left out\.\n$/);
  expect(renderNext({ ...document, schedules: [] }, page, { ...counted, paused: 1 })).toBe(
    'No schedules run: 1 is paused.\n',
  );
});

test('next with --days prints a heat map that is readable without colour', () => {
  const text = renderNext(document, page, { days: 7, busy: [], paused: 0 });
  expect(`\n${text.slice(text.indexOf('Deliveries'))}`).toMatchInlineSnapshot(`
    "
    Deliveries an hour, UTC
                    0     3     6     9    12    15    18    21
    Fri 2026-11-20  · · · · · · · · · · · · · · · · · · · · · · · ·
    Sat 2026-11-21  · · · · · · · · · · · · · · · · · · · · · · · ·
    Sun 2026-11-22  · · · · · · · · · · · · · · · · · · · · · · · ·
    Mon 2026-11-23  · · · · · · · · · · · · · · 1 · · · · · · · · 1
    Tue 2026-11-24  · · · · · · · · · · · · · · · · · · · · · · · ·
    Wed 2026-11-25  · · · · · · · · · · · · · · · · · · · · · · · ·
    Thu 2026-11-26  · · · · · · · · · · · · · · · · · · · · · · · ·

    schedules.weekly-sales: at 09:00 on Monday, America/New_York (0 9 ? * MON *)
    schedules.tokyo: at 08:30 on Tuesday, Asia/Tokyo (30 8 ? * TUE *)
    schedules.launch: at 09:00 on day 1 in June 2026, UTC (0 9 1 6 ? 2026)
      does not run on these days
    "
  `);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(renderNext(document, page, { days: 32, busy: [], paused: 0 })).not.toContain('Deliveries');
});

const runsAt = (at: string, count: number) => {
  const runs = Array.from({ length: count }, () => ({ at, local: '' }));
  return [{ address: 'a', schedule: '', timezone: '', description: '', runs }];
};
const linesOf = (...given: Parameters<typeof renderHeatMap>) => renderHeatMap(...given).split('\n');

test('a heat map has a row for each of its days, and none for the instant of their end', () => {
  const runs = [...runsAt(document.from, 1), ...runsAt('2026-11-22T00:00:00.000Z', 1)];
  const [, , ...rows] = linesOf(runs, document.from, 2, page);
  expect(rows.map((row) => row.slice(0, 17))).toEqual(['Fri 2026-11-20  1', 'Sat 2026-11-21  ·']);
});

test('a heat map separates the numbers of two digits', () => {
  const schedules = [...runsAt('2026-11-20T05:00:00.000Z', 12), ...runsAt('2026-11-20T06:00:00.000Z', 34)];
  const lines = linesOf(schedules, document.from, 1, { theme: plainTheme, width: 100 });
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatch(/^Fri 2026-11-20 ( {2}·){5} 12 34( {2}·){17}$/);
});

test('a heat map that is too wide for the terminal is printed in two halves', () => {
  const lines = linesOf(runsAt('2026-11-20T15:00:00.000Z', 120), document.from, 1, page);
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    Deliveries an hour, UTC
                      0           3           6           9
    Fri 2026-11-20    ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·
                     12          15          18          21
    Fri 2026-11-20    ·   ·   · 120   ·   ·   ·   ·   ·   ·   ·   ·
    "
  `);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(linesOf(runsAt('2026-11-20T15:00:00.000Z', 1000), document.from, 1, page).at(-1)).toContain(' +++');
});

test('the text of next is the same with and without colour', () => {
  for (const days of [undefined, 7]) {
    const busy = busyMinutes(document.schedules, 0);
    const coloured = renderNext(document, { theme: colourTheme, width: 80 }, { days, busy, paused: 0 });
    expect(coloured).not.toBe(stripSgr(coloured));
    expect(stripSgr(coloured)).toBe(renderNext(document, page, { days, busy, paused: 0 }));
  }
});

test('next says that there are no schedules', () => {
  expect(renderNext({ ...document, schedules: [] }, page, counted)).toBe('No schedules.\n');
});

describe('minutes with many deliveries', () => {
  const at = '2026-11-23T14:00:00.000Z';
  const schedules = Array.from({ length: 12 }, (_, index) => ({
    address: `schedules.s${index}`,
    schedule: '0 14 * * ? *',
    timezone: 'UTC',
    description: 'at 14:00',
    runs: [{ at, local: '2026-11-23T14:00' }],
  }));

  test('a busy minute has more deliveries than the threshold', () => {
    expect(busyMinutes(schedules, 12)).toEqual([]);
    expect(busyMinutes(schedules, 11)).toEqual([{ at, addresses: schedules.map(({ address }) => address) }]);
  });

  test('a busy minute is printed with some of its names', () => {
    const text = renderNext({ ...document, schedules }, page, {
      days: undefined,
      busy: busyMinutes(schedules, 10),
      paused: 0,
    });
    expect(text.slice(text.indexOf('12 deliveries'))).toBe(
      '12 deliveries in one minute, Mon 2026-11-23 14:00 UTC: schedules.s0,\nschedules.s1, schedules.s2, schedules.s3, schedules.s4 and 7 more.\n',
    );
  });
});
