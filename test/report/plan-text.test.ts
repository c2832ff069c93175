import { describe, expect, test } from 'vitest';
import type { Change, PlanDocument } from '../../src/model/plan/plan.ts';
import { renderPlanText } from '../../src/report/plan/plan-text.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import * as samples from '../support/report/plan-samples.ts';

function textOf(plan: PlanDocument, width = 80): string {
  return `\n${renderPlanText(plan, { theme: plainTheme, width, cron: samples.cron })}`;
}

test('a plan is printed from its legend to its digest', () => {
  expect(textOf(samples.planOf([samples.moveChange, samples.adoptChange]))).toMatchInlineSnapshot(`
    "
    Changes are marked with these symbols:
     -> move to another address, in the state only
      = adopt what exists, in the state only

    Almanac will do the following at https://acme.omniapp.co/api (operations core):

     -> schedules.daily-orders moves from schedules.orders (schedules/orders.yaml:3)
      # (because a resource of equal content is no longer declared)

      = schedules.to-slack adopts 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7
        (schedules/orders.yaml:30)

    Plan: 1 to move, 1 to adopt.
    No requests.
    Digest 4f0c1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeef
    "
  `);
});

test('a plan lists what apply looks for by itself apart from what a person must decide', () => {
  const since = '2026-11-01T09:00:00.000Z';
  const unresolved = [
    { address: 'aiJobs.digest', action: 'run', since },
    { address: 'schedules.weekly-sales', action: 'create', since, lookedFor: true },
  ] as const;
  const changes = [
    { ...samples.runChange, blocked: 'Check it.' },
    { ...samples.createChange, blocked: 'Apply looks.', lookedFor: true as const },
  ];
  const text = textOf(samples.planOf(changes, { unresolved, operations: 'full' }));
  expect(text.slice(text.indexOf('Unresolved:')).replace(/Digest .*/, 'Digest …')).toMatchInlineSnapshot(`
    "Unresolved: 2 changes of an earlier apply ended before the outcome was known.

      ! schedules.weekly-sales (create, since 2026-11-01T09:00:00.000Z)

    The next almanac apply looks for it in Omni before anything else, and goes on.

      ! aiJobs.digest (run, since 2026-11-01T09:00:00.000Z)

    Check in Omni whether it was carried out, then record the answer with one of:
      almanac state resolve ADDRESS --id ID
      almanac state resolve ADDRESS --done
      almanac state resolve ADDRESS --retry

    Plan: 1 to create, 1 to run.
    2 requests.
    Digest …

    1 change is blocked: apply refuses this plan.
    1 change has an unknown outcome: apply looks in Omni first, and goes on.
    "
  `);
  expect(text).toContain('! Blocked: Check it.');
  expect(text).toContain('! Open: Apply looks.');
});

test('the end of a plan counts every action and says what apply will refuse', () => {
  const end = textOf(samples.bigPlan).split('\n\n').slice(-2).join('\n\n');
  expect(`\n${end}`).toMatchInlineSnapshot(`
    "
    Plan: 1 to create, 3 to update, 1 to replace, 1 to delete, 1 to forget, 1 to
    move, 1 to adopt, 1 to run.
    7 requests.
    Digest 4f0c1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeef

    1 change is blocked: apply refuses this plan.
    2 schedules keep running as orphans: apply refuses this plan without
    --allow-orphans (or safety.allowOrphans).
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

  test('a plan of 10,000 changes is printed within seconds', () => {
    const text = textOf(samples.planOf(many(10_000)));
    expect(text.match(/will be updated in place/g)).toHaveLength(10_000);
  });
});
