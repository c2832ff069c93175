// What `almanac next` prints with colours, and of many runs. The rest: test/transcripts/next.

import { describe, expect, test } from 'vitest';
import { type NextView, renderNext } from '../../src/commands/next/next.ts';
import type { NextDocument, NextSchedule } from '../../src/commands/next/next-document.ts';
import { colourTheme, plainTheme } from '../../src/report/text/theme.ts';
import { stripSgr } from '../support/report/strip-sgr.ts';

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
  ],
};
const page = { theme: plainTheme, width: 80 };
const counted: NextView = {
  zone: 'UTC',
  days: undefined,
  at: undefined,
  lookedAt: [],
  busy: [],
  paused: 0,
  keptPaused: 0,
  askedCount: 3,
  isFiltered: false,
  askedKinds: new Set(['schedule']),
  mostLines: Number.POSITIVE_INFINITY,
  foldsDays: true,
  clockWords: () => undefined,
};

test('the text of next is the same with and without colour', () => {
  for (const days of [undefined, 7]) {
    const coloured = renderNext(document, { theme: colourTheme, width: 80 }, { ...counted, days });
    expect(coloured).not.toBe(stripSgr(coloured));
    expect(stripSgr(coloured)).toBe(renderNext(document, page, { ...counted, days }));
  }
});

describe('the runs of many schedules', () => {
  const hourly = Array.from({ length: 24 }, (_, hour) => `2026-11-23T${String(hour).padStart(2, '0')}:00`).map(
    (local) => ({ at: `${local}:00.000Z`, local }),
  );
  const morning = [{ at: '2026-11-23T09:00:00.000Z', local: '2026-11-23T10:00' }];
  const evening = [{ at: '2026-11-23T19:00:00.000Z', local: '2026-11-23T20:00' }];
  const several = (count: number, name: string, rest: Pick<NextSchedule, 'description' | 'timezone' | 'runs'>) =>
    Array.from({ length: count }, (_, index) => ({ address: `schedules.${name}-${index}`, schedule: '', ...rest }));
  const many = [
    ...several(5, 'stock', { description: 'every hour', timezone: 'UTC', runs: hourly }),
    ...several(40, 'sales', { description: 'at 10:00', timezone: 'Europe/Berlin', runs: morning }),
    ...several(2, 'board', { description: 'at 20:00', timezone: 'Europe/Berlin', runs: evening }),
    ...several(6, 'month', { description: 'at 10:00', timezone: 'UTC', runs: [] }),
  ];
  const asked = { ...counted, days: 1, asked: many.length, mostLines: 0 };
  const ofMany = { ...document, from: '2026-11-23T00:00:00.000Z', schedules: many };

  test('many runs are folded by day and by time, and the schedules by the time at which they run', () => {
    expect(`\n${renderNext(ofMany, page, asked)}`).toMatchInlineSnapshot(`
      "
      Mon 2026-11-23
        00:00-23:00 UTC  24 × every hour      5 schedules
        09:00 UTC        10:00 Europe/Berlin  40 schedules
        19:00 UTC        20:00 Europe/Berlin  schedules.board-0
        19:00 UTC        20:00 Europe/Berlin  schedules.board-1

      Runs at the same time share a line. -v lists the runs of every schedule. To list
      those of some, select them: \`almanac next 'to:*@partner.com'\`.
      \`almanac next --at 'MON 09:00'\` lists what runs then.

      47 schedules:
        40  at 10:00, Europe/Berlin
         5  every hour, UTC
         2  at 20:00, Europe/Berlin
      6 schedules do not run on these days: schedules.month-0, schedules.month-1,
      schedules.month-2, schedules.month-3, schedules.month-4 and 1 more.
      "
    `);
  });

  test('a schedule that runs every hour by its own clocks is folded when they are put back', () => {
    const runs = hourly.map(({ at, local }, hour) => ({
      at: hour < 3 ? at : at.replace(/T(\d\d)/, (_, text) => `T${String(Number(text) + 1).padStart(2, '0')}`),
      local,
    }));
    const schedules = several(1, 'stock', {
      description: 'every hour',
      timezone: 'Europe/Berlin',
      runs: runs.slice(0, 23),
    });
    expect(renderNext({ ...ofMany, schedules }, page, { ...counted, days: 1, askedCount: 1 })).toContain(
      '23 × every hour',
    );
  });
});

test('of more than three busy minutes the busiest are listed, with a command that lists their deliveries', () => {
  const busy = [12, 13, 14, 25, 15, 11].map((count, index) => ({
    at: `2026-11-23T0${index + 1}:00:00.000Z`,
    count,
    examples: [],
  }));
  const [shown = ''] = renderNext(document, page, { ...counted, zone: 'Europe/Berlin', busy }).split('\n\n');
  expect(`\n${shown}\n`).toMatchInlineSnapshot(`
    "
    6 minutes have more than 10 deliveries, the busiest:
      25  Mon 2026-11-23 05:00 Europe/Berlin
      15  Mon 2026-11-23 06:00 Europe/Berlin
      14  Mon 2026-11-23 04:00 Europe/Berlin
      13  Mon 2026-11-23 03:00 Europe/Berlin
      12  Mon 2026-11-23 02:00 Europe/Berlin
    \`almanac next --timezone Europe/Berlin --at '2026-11-23 05:00'\` lists those of
    one minute.
    "
  `);
  const whole = renderNext(document, { ...page, showsAll: true }, { ...counted, busy });
  expect(whole).toContain('6 minutes have more than 10 deliveries:\n  12  Mon 2026-11-23 01:00 UTC\n  13 ');
});
