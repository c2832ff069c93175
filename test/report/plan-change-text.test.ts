import { expect, test } from 'vitest';
import type { Change } from '../../src/model/plan/plan.ts';
import { changeEntries } from '../../src/report/plan/changes.ts';
import { printText } from '../../src/report/print-text.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import * as samples from '../support/report/plan-samples.ts';

function textOf(changes: readonly Change[], operations: 'core' | 'full' = 'core'): string {
  const entries = changeEntries(samples.planOf(changes, { operations }), 'terminal');
  return `\n${printText([entries], { theme: plainTheme, width: 80 })}`;
}

test('an update of a dashboard that also moved is printed at 80 columns', () => {
  expect(textOf([samples.dashboardChange])).toMatchInlineSnapshot(`
    "
      update  dashboards.sales: 12db1a0a, from dashboards.old-sales
                (schedules/sales.yaml:40)
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
  const text = textOf([{ ...samples.replaceChange, reason: 'identifier-changed' }], 'full');
  expect(text).toContain('      Because it now names a different dashboard.\n');
  expect(text).toContain('      (the new one is created before the old one is deleted)\n');
});

test('of more than ten changes each is a line, and what blocks one of them is below it', () => {
  const updates = Array.from({ length: 10 }, (_, index) => ({
    ...samples.updateChange,
    address: `schedules.report-${index}`,
    diff: [{ path: '/subject', op: 'change', before: 'Sales', after: `Sales ${index}`, sensitive: false } as const],
  }));
  expect(textOf([...updates, { ...samples.secretChange, blocked: 'it is protected' }])).toMatchInlineSnapshot(`
    "
      UPDATE  schedules.to-sftp   Weekly sales report: passwordUnencrypted gets
                another value (schedules/sales.yaml:12)
          ! Blocked: it is protected
      update  schedules.report-0  Weekly sales report: subject changes from
                "Sales" to "Sales 0" (schedules/sales.yaml:12)
      update  schedules.report-1  Weekly sales report: subject changes from
                "Sales" to "Sales 1" (schedules/sales.yaml:12)
      update  schedules.report-2  Weekly sales report: subject changes from
                "Sales" to "Sales 2" (schedules/sales.yaml:12)
      update  schedules.report-3  Weekly sales report: subject changes from
                "Sales" to "Sales 3" (schedules/sales.yaml:12)
      update  schedules.report-4  Weekly sales report: subject changes from
                "Sales" to "Sales 4" (schedules/sales.yaml:12)
      update  schedules.report-5  Weekly sales report: subject changes from
                "Sales" to "Sales 5" (schedules/sales.yaml:12)
      update  schedules.report-6  Weekly sales report: subject changes from
                "Sales" to "Sales 6" (schedules/sales.yaml:12)
      update  schedules.report-7  Weekly sales report: subject changes from
                "Sales" to "Sales 7" (schedules/sales.yaml:12)
      update  schedules.report-8  Weekly sales report: subject changes from
                "Sales" to "Sales 8" (schedules/sales.yaml:12)
      update  schedules.report-9  Weekly sales report: subject changes from
                "Sales" to "Sales 9" (schedules/sales.yaml:12)
      (-v shows the details)
    "
  `);
});

test('of more than ten creates each line says to whom the report goes', () => {
  const creates = Array.from({ length: 11 }, (_, index) => ({
    ...samples.createChange,
    address: `schedules.report-${index}`,
    after: {
      ...samples.createChange.after,
      destinationType: 'email',
      recipients: ['ana@example.com', `p${index}@example.org`],
    },
  }));
  const text = textOf(creates).replace(/\s+/g, ' ');
  for (const { after } of creates) expect(text).toContain(`: to ${after.recipients.join(', ')} (`);
});
