import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/model/plan/plan.ts';
import { changeDoc } from '../../src/report/plan/change-report.ts';
import { printText } from '../../src/report/print-text.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import * as samples from '../support/report/plan-samples.ts';

function textOf(change: Change, operations: 'core' | 'full' = 'core', width = 80): string {
  const page = { theme: plainTheme, width, cron: samples.cron, operations };
  return `\n${printText(changeDoc([change], page), page)}`;
}

describe('at 80 columns', () => {
  test('an update is printed at 80 columns', () => {
    expect(textOf(samples.updateChange)).toMatchInlineSnapshot(`
      "
        # schedules.weekly-sales will be updated in place (schedules/sales.yaml:12)
        ~ schedule weekly-sales
              id:          "2abba91d-9bec-41a0-8a8d-6f133b4ff0b7"
            ~ name:        "Weekly sales" -> "Weekly sales report"
            ~ schedule:    "0 9 ? * MON *" -> "0 8 ? * MON *"
                # before: at 09:00 on Monday, next 2026-11-23 09:00 Europe/London
                # after:  at 08:00 on Monday, next 2026-11-23 08:00 Europe/London
            ~ recipients:
                - "cy@example.com"
                + "bo@example.com"
            - subject:     "Sales"
            ~ textBody:
                  Hello all,
                - here are the numbers of the week.
                + here are the numbers of last week.

                  The data team
            + paperFormat: "a4"
              # (4 unchanged fields hidden)
      "
    `);
  });

  test('an update of a dashboard that also moved is printed at 80 columns', () => {
    expect(textOf(samples.dashboardChange)).toMatchInlineSnapshot(`
      "
        # dashboards.sales will be updated in place (schedules/sales.yaml:40)
        # (moved from dashboards.old-sales)
        ~ dashboard sales
            ~ filters.order_status.label: "Status" -> "Order status"
            ~ filters.order_status.values:
                  "shipped"
                + "delivered"
            ~ filterOrder:
                - "region"
                  "order_status"
                + "region"
                  "channel"
                  "a"
                # (3 unchanged elements hidden)
              # (1 unchanged field hidden)
      "
    `);
  });

  test.each([
    [
      'a replace with operations full as leaving nothing behind',
      { ...samples.replaceChange, reason: 'identifier-changed' },
      ['# (because it now names another dashboard)', '# (the new one is created before the old one is deleted)'],
    ],
    [
      'a schedule that a removed entry releases as running untracked',
      { ...samples.forgetChange, reason: 'removed' },
      ['# (because a removed entry releases it)', '# (it keeps running in Omni, untracked)'],
    ],
    [
      'a blocked change with the reason',
      samples.secretChange,
      [
        '! Blocked: the outcome of an earlier create is not known. Run: almanac state\n    resolve schedules.to-sftp --done',
      ],
    ],
  ] as const)('a plan shows %s', (_, change, notes) => {
    for (const note of notes) expect(textOf(change, 'full')).toContain(`  ${note}\n`);
  });
});
