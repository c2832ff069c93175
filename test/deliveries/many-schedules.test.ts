// What is said about many schedules of one person: the first five and a count, unless one line is left or -v is given.

import { expect, it } from 'vitest';
import { renderTransferred } from '../../src/commands/offboard/offboard-report.ts';
import { unreadDoc } from '../../src/deliveries/who-words.ts';
import { printText } from '../../src/report/print-text.ts';
import { type Page, plainTheme } from '../../src/report/text/theme.ts';

const page: Page = { theme: plainTheme, width: 200 };

function named(count: number) {
  return Array.from({ length: count }, (_, index) => ({ id: `id-${index}`, name: `Report ${index}`, managed: false }));
}

const reports = {
  'what was not transferred': (count: number, of: Page) =>
    renderTransferred(
      named(count).map((each) => ({ ...each, status: 'skipped', message: 'The run was interrupted.' })),
      'bo@example.com',
      of,
    ),
  'what could not be read': (count: number, of: Page) =>
    printText(
      unreadDoc(
        {
          notRead: 0,
          probes: 0,
          knowsMembers: true,
          refused: named(count).map((row) => ({ about: [row], message: 'It is gone.' })),
        },
        of,
      ),
      of,
    ),
};

it.each(Object.entries(reports))('a report of %s shows five of many schedules and counts the others', (_, render) => {
  const shown = (count: number, showsAll = false) => render(count, { ...page, showsAll }).match(/Report \d+/g)?.length;
  expect(render(12, page)).toContain('and 7 more (-v lists all)');
  // A count would take as much room as the sixth.
  expect([shown(12), shown(6), shown(12, true)]).toEqual([5, 6, 12]);
});
