import { describe, expect, test } from 'vitest';
import type { Change, PlanDocument } from '../../src/model/plan/plan.ts';
import { renderPlanMarkdown } from '../../src/report/plan/plan-markdown.ts';
import { renderPlanText } from '../../src/report/plan/plan-text.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import * as samples from '../support/report/plan-samples.ts';
import { atFullSize } from '../support/runs/runs.ts';

function textOf(plan: PlanDocument, width = 80): string {
  return `\n${renderPlanText(plan, { theme: plainTheme, width })}`;
}

test('the end of a plan counts every action and says what apply will refuse', () => {
  const end = textOf(samples.bigPlan).split('\n\n').slice(-2).join('\n\n');
  expect(`\n${end}`).toMatchInlineSnapshot(`
    "
    Plan: 1 to create, 3 to update, 1 to replace, 1 to delete, 1 to forget, 1 to
    move, 1 to adopt, 1 to run.
    7 requests.
    Digest 4f0c1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeef

    1 change is blocked: apply refuses this plan.
    2 schedules keep running as orphans: apply refuses this plan without --allow
    orphans (or safety.allowOrphans).
    "
  `);
});

test('requests and digest share a line on a wide terminal', () => {
  expect(textOf(samples.planOf([samples.createChange]), 100)).toContain(
    'Plan: 1 to create.\n1 request. Digest 4f0c1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeef\n',
  );
});

describe('10,000 changes', () => {
  const many = (count: number): readonly Change[] =>
    Array.from({ length: count }, (_, index) => ({
      ...samples.updateChange,
      address: `schedules.s${index}`,
      diff: [{ path: '/subject', op: 'change', before: 'Sales', after: `Sales ${index}`, sensitive: false }],
    }));

  atFullSize('a plan of 10,000 changes is printed within seconds', () => {
    const text = textOf(samples.planOf(many(10_000)));
    expect(text.match(/^ {2}update {2}/gm)).toHaveLength(10_000);
  });
});

describe('a list that is only read', () => {
  const recipients = Array.from({ length: 5000 }, (_, index) => `p${1000 + index}@example.com`);
  const shownIn = (plan: PlanDocument, showsAll: boolean) =>
    renderPlanText(plan, { theme: plainTheme, width: 80, showsAll });
  const { before, after } = samples.updateChange;
  const to = (emails: readonly string[]) => ({ ...after, destinationType: 'email', recipients: emails });
  const losing: Change = {
    ...samples.updateChange,
    before: { ...before, ...to(recipients) },
    after: to(['bo@example.com']),
    diff: [{ path: '/recipients', op: 'change', before: recipients, after: ['bo@example.com'], sensitive: false }],
  };

  test.each([
    ['that a schedule is created for', { ...samples.createChange, after: to(recipients) }, '+'],
    ['that a schedule loses', losing, '-'],
  ] as const)('of 5,000 addresses %s a terminal shows five, and -v all', (_, change, sign) => {
    const plan = samples.planOf([change]);
    const text = shownIn(plan, false);
    expect(text).toContain(`${sign} "p1004@example.com"`);
    expect(text).toContain('# and 4,995 more (-v lists all)');
    expect(text).not.toContain('p1050@');
    expect(shownIn(plan, true)).toContain('p5999@');
    expect(renderPlanMarkdown(plan)).toContain('p5999@');
  });

  test('of 300 orphans a terminal shows five, and -v all', () => {
    const orphans = Array.from({ length: 300 }, (_, index) => ({ ...samples.orphan, id: `orphan-${index}` }));
    const plan = { ...samples.planOf([]), orphans };
    expect(shownIn(plan, false).match(/orphan-\d+/g)).toHaveLength(5);
    expect(shownIn(plan, false)).toContain('and 295 more (`almanac state orphans` lists all)');
    expect(shownIn(plan, true).match(/orphan-\d+/g)).toHaveLength(300);
  });
});
