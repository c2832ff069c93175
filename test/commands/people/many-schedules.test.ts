// What is said about many schedules of one person: the first ten lines and a count, unless one line is left or -v is given.

import { describe, expect, it } from 'vitest';
import { unreadDoc } from '../../../src/commands/base/people/who.ts';
import { renderTransferred } from '../../../src/commands/offboard/offboard-report.ts';
import { printText } from '../../../src/report/print-text.ts';
import { type Page, plainTheme } from '../../../src/report/text/theme.ts';

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
        { left: 0, knowsMembers: true, refused: named(count).map((row) => ({ row, reason: 'It is gone.' })) },
        of,
      ),
      of,
    ),
};

describe.each(Object.entries(reports))('a report of %s', (_, render) => {
  it('shows ten of twelve schedules and counts the others', () => {
    const text = render(12, page);
    expect(text.match(/Report \d+/g)).toHaveLength(10);
    expect(text).toContain('and 2 more (-v lists all)');
  });

  it('shows eleven schedules, because a count would take as much room as the last', () => {
    const text = render(11, page);
    expect(text.match(/Report \d+/g)).toHaveLength(11);
    expect(text).not.toContain('more');
  });

  it('shows all of twelve with -v', () => {
    expect(render(12, { ...page, showsAll: true }).match(/Report \d+/g)).toHaveLength(12);
  });
});
