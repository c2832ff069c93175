import { expect, it } from 'vitest';
import { remainingOrphans } from '../../src/model/plan/plan.ts';
import { orphanDoc } from '../../src/report/plan/open-report.ts';
import { printText } from '../../src/report/print-text.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import { declare, plan, schedule, stateOf } from '../support/plan/planning.ts';

it('an orphan that the plan deletes is not listed for removal', () => {
  const at = '2026-03-01T00:00:00.000Z';
  const orphan = (id: string) => ({ id, address: 'schedules.s', identifier: '12db1a0a', name: 'Old', since: at });
  const state = stateOf(
    { 'schedules.s': schedule() },
    { orphans: [{ ...orphan('one'), replaced: true }, orphan('two')] },
  );
  const { plan: made } = plan(declare({ 'schedules.s': schedule() }), state, { operations: 'full' });
  expect(remainingOrphans(made).map(({ id }) => id)).toEqual(['two']);
});

it('of many orphans five are shown, with the command that lists all, and with -v all of them', () => {
  const orphans = [...Array(300).keys()].map((index) => ({
    id: `id-${index}.`,
    address: 'schedules.s',
    identifier: '12db1a0a',
    name: 'Old',
    since: '2026-03-01T00:00:00.000Z',
    ...(index % 2 === 0 ? { replaced: true as const } : {}),
  }));
  const page = { theme: plainTheme, width: 80 };
  const shown = (showsAll: boolean) => printText(orphanDoc(orphans, { showsAll }), page);
  expect(shown(false).match(/id-\d+\./g)).toHaveLength(2 * 5);
  expect(shown(false).match(/and 145 more \(`almanac state orphans` lists all\)/g)).toHaveLength(2);
  expect(shown(true).match(/id-\d+\./g)).toHaveLength(300);
});
