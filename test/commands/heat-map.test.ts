// The heat map of `almanac next`: what it counts, and where.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { busyMinutes } from '../../src/commands/next/busy-minutes.ts';
import { heatMapDoc } from '../../src/commands/next/heat-map.ts';
import type { NextSchedule } from '../../src/commands/next/next-document.ts';
import { comingRuns } from '../../src/cron/coming-runs.ts';
import { dayMs } from '../../src/cron/time-zone.ts';
import { dayAt, startOfDay } from '../../src/cron/zone-days.ts';
import { linesOf as printed } from '../../src/report/print-text.ts';
import { colourTheme, plainTheme } from '../../src/report/text/theme.ts';
import { read } from '../support/cron/read.ts';
import { stripSgr } from '../support/report/strip-sgr.ts';
import { runs } from '../support/runs/runs.ts';

const page = { theme: plainTheme, width: 80 };
const wide = { ...page, width: 200 };
const runsAt = (at: string, count: number): readonly NextSchedule[] => {
  const runs = [{ at, local: at.slice(0, 16) }];
  return Array.from({ length: count }, (_, index) => ({
    address: `schedules.s${index}`,
    schedule: '',
    timezone: 'UTC',
    description: '',
    runs,
  }));
};

interface Asked {
  readonly from?: string;
  readonly days?: number;
  readonly zone?: string;
  readonly maxPerMinute?: number;
  readonly shown?: typeof page;
}

function linesOf(schedules: readonly NextSchedule[], asked: Asked = {}): readonly string[] {
  const { from = '2026-11-20T00:00:00.000Z', days = 1, zone = 'UTC', maxPerMinute = 9999, shown = page } = asked;
  const busy = busyMinutes(schedules, maxPerMinute);
  return printed(heatMapDoc({ formatVersion: 1, from, schedules }, { zone, days, busy, maxPerMinute }, shown), shown);
}

test('a heat map separates the numbers of two and three digits', () => {
  const schedules = [...runsAt('2026-11-20T05:00:00.000Z', 12), ...runsAt('2026-11-20T06:00:00.000Z', 34)];
  expect(linesOf(schedules, { shown: wide })[2]).toMatch(/^Fri 2026-11-20 ( {2}·){5} 12 34( {2}·){17}$/);
  const more = [...schedules, ...runsAt('2026-11-20T07:00:00.000Z', 567), ...runsAt('2026-11-20T08:00:00.000Z', 4800)];
  expect(linesOf(more, { shown: wide })[2]).toMatch(/^Fri 2026-11-20 ( {3}·){5} {2}12 {2}34 567 {2}5k( {3}·){15}$/);
});

test('a heat map that is too wide for the terminal is printed in two halves', () => {
  const lines = linesOf(runsAt('2026-11-20T15:00:00.000Z', 120));
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    Deliveries an hour, UTC
                      0           3           6           9
    Fri 2026-11-20    ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·
                     12          15          18          21
    Fri 2026-11-20    ·   ·   · 120   ·   ·   ·   ·   ·   ·   ·   ·
    "
  `);
});

test('no line of a heat map is wider than 80 columns, and all have the same width with colours', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(47), fc.nat(1200)), { maxLength: 6 }), fc.nat(30), (cells, maxPerMinute) => {
      const schedules = cells.flatMap(([hour, count]) =>
        runsAt(new Date(Date.UTC(2026, 10, 20, hour)).toISOString(), count),
      );
      const coloured = linesOf(schedules, { days: 2, maxPerMinute, shown: { theme: colourTheme, width: 80 } });
      for (const lines of [linesOf(schedules, { days: 2, maxPerMinute }), coloured.map(stripSgr)])
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    }),
    { numRuns: runs(100) },
  );
});

describe('hours with a minute that is too full', () => {
  const schedules = [
    ...runsAt('2026-11-20T05:00:00.000Z', 12),
    ...runsAt('2026-11-20T06:00:00.000Z', 10),
    ...runsAt('2026-11-20T07:00:00.000Z', 2),
    ...runsAt('2026-11-20T07:30:00.000Z', 9),
  ];
  const red = '\u001b[1;31m';

  test('only an hour with a minute above --max-per-minute is red', () => {
    const lines = linesOf(schedules, { maxPerMinute: 10, shown: { theme: colourTheme, width: 200 } });
    expect(lines[2]?.split(red)).toHaveLength(2);
    expect(lines[2]).toContain(`${red}12`);
    expect(lines.at(-1)).toContain(`${red}more than 10 in one minute`);
    const calm = linesOf(schedules, { maxPerMinute: 12, shown: { theme: colourTheme, width: 200 } });
    expect(calm.join()).not.toContain(red);
  });

  test('without colours a mark and its meaning replace red', () => {
    const lines = linesOf(schedules, { maxPerMinute: 10, shown: wide });
    expect(lines[2]).toContain(' 12! 10  11  ');
    expect(lines.at(-1)).toBe('! more than 10 in one minute');
    expect(linesOf(schedules, { maxPerMinute: 12, shown: wide }).join()).not.toContain('!');
    // Where most hours are too full, it would say nothing.
    expect(linesOf(schedules, { maxPerMinute: 1 }).join()).not.toContain('!');
  });

  test('one hue in five steps grows with the number, and its legend gives the numbers', () => {
    const each = [10, 30, 50, 70, 90].flatMap((count, hour) => runsAt(`2026-11-20T0${hour}:00:00.000Z`, count));
    const lines = linesOf(each, { shown: { theme: colourTheme, width: 200 } });
    const { heat1, heat2, heat3, heat4, heat5 } = colourTheme;
    expect(lines[2]).toContain([heat1('10'), heat2('30'), heat3('50'), heat4('70'), heat5('90')].join(' '));
    expect(stripSgr(lines[3] ?? '')).toBe('1-18  19-36  37-54  55-72  73-90');
  });
});

test('hours before the start are empty', () => {
  const [, , row] = linesOf(runsAt('2026-11-20T20:00:00.000Z', 1), { from: '2026-11-20T06:30:00.000Z' });
  expect(row).toBe(`Fri 2026-11-20 ${'  '.repeat(6)}${' ·'.repeat(14)} 1${' ·'.repeat(3)}`);
});

describe('days on which clocks change', () => {
  const hourly = (zone: string, from: number): NextSchedule => {
    const runs = [];
    for (const { at, local } of comingRuns(read('0 * * * ? *'), 'UTC', from - 1)) {
      if (runs.length === 72) break;
      runs.push({ at: new Date(at).toISOString(), local });
    }
    return { address: 'schedules.hourly', schedule: '', timezone: zone, description: '', runs };
  };
  const rowOf = (zone: string, date: string) => {
    const start = startOfDay(zone, Date.parse(date));
    const end = startOfDay(zone, Date.parse(date) + dayMs);
    const schedule = hourly(zone, start);
    const runs = schedule.runs.filter(({ at }) => Date.parse(at) < end);
    const from = new Date(start).toISOString();
    return { hours: (end - start) / 3_600_000, row: linesOf([{ ...schedule, runs }], { from, zone })[2]?.slice(15) };
  };

  test('a day of 23 hours has an empty field for the hour that clocks skip', () => {
    expect(rowOf('Europe/Berlin', '2027-03-28')).toEqual({ hours: 23, row: ` 1 1  ${' 1'.repeat(21)}` });
  });

  test('a day whose midnight is skipped begins after the gap', () => {
    expect(rowOf('Africa/Cairo', '2026-04-24')).toEqual({ hours: 23, row: `  ${' 1'.repeat(23)}` });
  });

  test('a heat map counts exactly the runs of its days, at the hours that the clocks of its zone show', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Kolkata', 'UTC'];
    const expressions = ['0 * * * ? *', '*/20 * * * ? *', '30 2 * * ? *', '0 0 * * ? *', '45 23 ? * SUN *'];
    // Around the changes of clocks of 2026 and 2027.
    const starts = ['2026-10-23', '2026-10-30', '2027-03-12', '2027-03-26', '2027-04-02', '2026-04-22'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...zones),
        fc.constantFrom(...expressions),
        fc.constantFrom(...starts),
        fc.nat(47),
        fc.integer({ min: 1, max: 5 }),
        (zone, own, expression, start, halfHours, days) => {
          const from = Date.parse(start) + halfHours * 1_800_000;
          const until = startOfDay(zone, dayAt(zone, from) + days * dayMs);
          const runs = [];
          const expected = new Map<string, number>();
          for (const { at, local } of comingRuns(read(expression), own, from - 1)) {
            if (at >= until) break;
            runs.push({ at: new Date(at).toISOString(), local });
            const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
            const [date = '', time = ''] = wall.format(at).split(' ');
            const key = `${date} ${Number(time.slice(0, 2))}`;
            expected.set(key, (expected.get(key) ?? 0) + 1);
          }
          const schedule = { address: 'schedules.s', schedule: '', timezone: own, description: '', runs };
          const [, , ...rows] = linesOf([schedule], { from: new Date(from).toISOString(), days, zone, shown: wide });
          expect(rows).toHaveLength(days);
          const counted = rows.flatMap((row) => {
            const date = row.slice(4, 14);
            return [...row.slice(15).matchAll(/.{2}/g)].flatMap(([cell], hour) =>
              /\d/.test(cell) ? [[`${date} ${hour}`, Number(cell)] as const] : [],
            );
          });
          expect(new Map(counted)).toEqual(expected);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
