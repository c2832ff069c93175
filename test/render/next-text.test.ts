import { expect, test } from 'vitest';
import type { NextDocument } from '../../src/model/next.ts';
import { renderNext } from '../../src/render/next-text.ts';
import { colourTheme, plainTheme } from '../../src/render/theme.ts';
import { stripSgr } from './strip-sgr.ts';

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
      address: 'schedules.launch',
      schedule: '0 9 1 6 ? 2026',
      timezone: 'UTC',
      description: 'at 09:00 on day 1 in June 2026',
      runs: [],
    },
  ],
};

test('the runs of each schedule, in its own time and in UTC', () => {
  expect(`\n${renderNext(document, { theme: plainTheme, width: 80 })}`).toMatchInlineSnapshot(`
    "
    schedules.weekly-sales
      at 09:00 on Monday, America/New_York
      0 9 ? * MON *
        2026-11-23 09:00  2026-11-23 14:00 UTC
        2026-11-30 09:00  2026-11-30 14:00 UTC

    schedules.launch
      at 09:00 on day 1 in June 2026, UTC
      0 9 1 6 ? 2026
        never runs again
    "
  `);
});

test('colour changes nothing but the colour', () => {
  const coloured = renderNext(document, { theme: colourTheme, width: 80 });
  expect(stripSgr(coloured)).toBe(renderNext(document, { theme: plainTheme, width: 80 }));
});

test('no schedules', () => {
  expect(renderNext({ ...document, schedules: [] }, { theme: plainTheme, width: 80 })).toBe('No schedules.\n');
});
