import { expect, test } from 'vitest';
import type { Change } from '../../src/model/plan/plan.ts';
import { changeDoc } from '../../src/report/plan/change-report.ts';
import { printText } from '../../src/report/print-text.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import * as samples from '../support/report/plan-samples.ts';

function textOf(change: Change, operations: 'core' | 'full' = 'core'): string {
  const page = { theme: plainTheme, width: 80, cron: samples.cron, operations };
  return `\n${printText(changeDoc([change], page), page)}`;
}

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

test('a plan shows a replace with operations full as leaving nothing behind', () => {
  const text = textOf({ ...samples.replaceChange, reason: 'identifier-changed' }, 'full');
  expect(text).toContain('  # (because it now names another dashboard)\n');
  expect(text).toContain('  # (the new one is created before the old one is deleted)\n');
});
