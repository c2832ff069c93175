// Each report of a plan names every resource, however equal changes are folded.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '../../src/model/plan/plan.ts';
import { renderPlanHtml } from '../../src/report/plan/plan-html.ts';
import { renderPlanMarkdown } from '../../src/report/plan/plan-markdown.ts';
import { renderPlanText } from '../../src/report/plan/plan-text.ts';
import type { TimedPlan } from '../../src/report/plan/timed-plan.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import * as samples from '../support/report/plan-samples.ts';
import { runs } from '../support/runs/runs.ts';

const moving = { ...samples.updateChange, diff: [samples.updateChange.diff[0]] } as Change;
const pool = [
  ...samples.losesRecipient('kim@example.com', 12),
  ...[samples.moveChange, samples.adoptChange, samples.deleteChange].flatMap((change) => samples.numbered(change, 12)),
  ...samples.numbered(moving, 5),
  ...samples.bigPlan.changes,
];

/** The text without what is above the changes. */
function withAll(plan: TimedPlan): string {
  const text = renderPlanText(plan, { theme: plainTheme, width: 80, showsAll: true });
  return text.slice(text.indexOf('Almanac will do'));
}

const reports: readonly [string, (plan: TimedPlan) => string, (address: string) => RegExp][] = [
  ['text with -v', withAll, (address) => new RegExp(`${address}(?![\\w-])`)],
  ['Markdown', (plan) => renderPlanMarkdown(plan, { limit: 1_000_000 }), (address) => new RegExp(`\`${address}\``)],
  ['HTML', (plan) => renderPlanHtml(plan), (address) => new RegExp(`>${address}<`)],
];

test.each(reports)('the %s of any plan names every resource, and where a moved one was', (_, render, named) => {
  fc.assert(
    fc.property(fc.shuffledSubarray(pool), (changes) => {
      const shown = render(samples.planOf(changes, { operations: 'full' }));
      for (const { address, line } of changes) {
        expect(shown).toMatch(named(address.replaceAll('.', '\\.')));
        // The others name what many have in common.
        if (render === withAll && line !== undefined) expect(shown).toContain(`:${line}`);
      }
      const moved = changes.filter(({ action }) => action === 'move');
      expect((shown.match(/schedules\.orders/g) ?? []).length).toBeGreaterThanOrEqual(moved.length);
    }),
    { numRuns: runs(50) },
  );
});
