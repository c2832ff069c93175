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
  test('a create is printed at 80 columns', () => {
    expect(textOf(samples.createChange)).toMatchInlineSnapshot(`
      "
        # schedules.weekly-sales will be created (schedules/sales.yaml:12)
        + schedule weekly-sales
            + identifier:      "12db1a0a"
            + name:            "Weekly sales report"
            + schedule:        "0 9 ? * MON *"
                # at 09:00 on Monday, next 2026-11-23 09:00 Europe/London
            + timezone:        "Europe/London"
            + format:          "pdf"
            + destinationType: "email"
            + recipients:      ["ana@example.com", "bo@example.com", "cy@example.com"]
            + subject:         "Weekly sales"
            + textBody:
                Hello all,
                here are the numbers of the week.

                The data team
            + paperFormat:     "a4"
      "
    `);
  });

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

  test('a replace with operations core is printed at 80 columns', () => {
    expect(textOf(samples.replaceChange)).toMatchInlineSnapshot(`
      "
        # schedules.weekly-sales must be replaced (schedules/sales.yaml:12)
        ! Operations core cannot update a schedule, so a new one is created. The old
          one keeps running as 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7 and becomes an
          orphan.
      -/+ schedule weekly-sales
            ~ name:     "Weekly sales" -> "Weekly sales report"
            ~ schedule: "0 9 ? * MON *" -> "0 8 ? * MON *"
                # before: at 09:00 on Monday, next 2026-11-23 09:00 Europe/London
                # after:  at 08:00 on Monday, next 2026-11-23 08:00 Europe/London
              # (8 unchanged fields hidden)
      "
    `);
  });

  test('a delete is printed at 80 columns', () => {
    expect(textOf(samples.deleteChange)).toMatchInlineSnapshot(`
      "
        # schedules.legacy will be deleted
        # (because it is no longer declared)
        - schedule legacy
              id:         "2abba91d-9bec-41a0-8a8d-6f133b4ff0b7"
            - identifier: "12db1a0a"
            - name:       "Legacy"
            - schedule:   "0 9 ? * MON *"
                # at 09:00 on Monday, next 2026-11-23 09:00 Europe/London
            - timezone:   "Europe/London"
      "
    `);
  });

  test('a forget with operations core is printed at 80 columns', () => {
    expect(textOf(samples.forgetChange)).toMatchInlineSnapshot(`
      "
        # schedules.legacy will be forgotten
        # (because it is no longer declared)
        ! It keeps running as 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7 and becomes an
          orphan.
        . schedule legacy
              identifier: "12db1a0a"
              name:       "Legacy"
              # (2 fields hidden)
      "
    `);
  });

  test('a move is printed at 80 columns', () => {
    expect(textOf(samples.moveChange)).toMatchInlineSnapshot(`
      "
       -> schedules.daily-orders moves from schedules.orders (schedules/orders.yaml:3)
        # (because a resource of equal content is no longer declared)
      "
    `);
  });

  test('an adoption is printed at 80 columns', () => {
    expect(textOf(samples.adoptChange)).toMatchInlineSnapshot(`
      "
        = schedules.to-slack adopts 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7
          (schedules/orders.yaml:30)
      "
    `);
  });

  test('a run is printed at 80 columns', () => {
    expect(textOf(samples.runChange)).toMatchInlineSnapshot(`
      "
        # aiJobs.q3-summary will run once (schedules/ai.yaml:2)
        > AI job q3-summary
              modelId:              "770e8400-e29b-41d4-a716-446655440002"
              prompt:
                "Summarise sales by region for the third quarter, compare them with
                the second, and name the three products that grew most."
              webhookUrl: "https://hooks.example.com/services/almanac/q3-summary"
              webhookSigningSecret: (sensitive)
              webhookMetadata."cost centre": 12
              webhookMetadata.team: "data"
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

  test('a blocked change with a secret is printed at 80 columns', () => {
    expect(textOf(samples.secretChange)).toMatchInlineSnapshot(`
      "
        # schedules.to-sftp will be updated in place (schedules/sales.yaml:12)
        ! Blocked: the outcome of an earlier create is not known. Run: almanac state
          resolve schedules.to-sftp --done
        ~ schedule to-sftp
              id:                  "2abba91d-9bec-41a0-8a8d-6f133b4ff0b7"
            ~ passwordUnencrypted: (sensitive)
              # (10 unchanged fields hidden)
      "
    `);
  });

  test('a replace with operations full is printed as leaving nothing behind', () => {
    expect(textOf({ ...samples.replaceChange, reason: 'identifier-changed' }, 'full')).toMatchInlineSnapshot(`
      "
        # schedules.weekly-sales must be replaced (schedules/sales.yaml:12)
        # (because it now names another dashboard)
        # (the new one is created before the old one is deleted)
      -/+ schedule weekly-sales
              id:       "2abba91d-9bec-41a0-8a8d-6f133b4ff0b7"
            ~ name:     "Weekly sales" -> "Weekly sales report"
            ~ schedule: "0 9 ? * MON *" -> "0 8 ? * MON *"
                # before: at 09:00 on Monday, next 2026-11-23 09:00 Europe/London
                # after:  at 08:00 on Monday, next 2026-11-23 08:00 Europe/London
              # (8 unchanged fields hidden)
      "
    `);
  });

  test('a schedule that a removed entry releases is printed at 80 columns', () => {
    expect(textOf({ ...samples.forgetChange, reason: 'removed' })).toMatchInlineSnapshot(`
      "
        # schedules.legacy will be forgotten
        # (because a removed entry releases it)
        # (it keeps running in Omni, untracked)
        . schedule legacy
              id:         "2abba91d-9bec-41a0-8a8d-6f133b4ff0b7"
              identifier: "12db1a0a"
              name:       "Legacy"
              # (2 fields hidden)
      "
    `);
  });

  test('a forgotten dashboard is printed at 80 columns', () => {
    const change: Change = { ...samples.dashboardChange, action: 'forget', reason: 'removed', diff: [], after: null };
    const { file: _file, line: _line, previousAddress: _previous, ...rest } = change;
    expect(textOf(rest)).toMatchInlineSnapshot(`
      "
        # dashboards.sales will be forgotten
        # (because a removed entry releases it)
        # (the dashboard stays as it is)
        . dashboard sales
              identifier: "12db1a0a"
              # (2 fields hidden)
      "
    `);
  });

  test('a change of only the time zone is printed at 80 columns', () => {
    const before = samples.weeklySales;
    const after = { ...before, timezone: 'America/New_York' };
    const diff = [
      { path: '/timezone', op: 'change', before: 'Europe/London', after: 'America/New_York', sensitive: false },
    ] as const;
    expect(textOf({ ...samples.updateChange, before, after, diff })).toMatchInlineSnapshot(`
      "
        # schedules.weekly-sales will be updated in place (schedules/sales.yaml:12)
        ~ schedule weekly-sales
              id:       "2abba91d-9bec-41a0-8a8d-6f133b4ff0b7"
            ~ timezone: "Europe/London" -> "America/New_York"
                # before: next 2026-11-23 09:00 Europe/London
                # after:  next 2026-11-23 09:00 America/New_York
              # (9 unchanged fields hidden)
      "
    `);
  });

  test('a change of only the lifecycle is printed as a change of the state', () => {
    const diff = [
      {
        path: '/lifecycle',
        op: 'add',
        after: { preventDestroy: true, ignoreChanges: ['recipients'] },
        sensitive: false,
      },
    ] as const;
    expect(textOf({ ...samples.updateChange, reason: 'state-only', diff })).toMatchInlineSnapshot(`
      "
        # schedules.weekly-sales will be updated in place (schedules/sales.yaml:12)
        # (because only what Almanac keeps in the state changed)
        ~ schedule weekly-sales
              id:                       "2abba91d-9bec-41a0-8a8d-6f133b4ff0b7"
            + lifecycle.ignoreChanges:  ["recipients"]
            + lifecycle.preventDestroy: true
              # (10 unchanged fields hidden)
      "
    `);
  });
});

test('a change is printed in one column at a width of 40', () => {
  expect(textOf(samples.createChange, 'core', 40)).toMatchInlineSnapshot(`
    "
      # schedules.weekly-sales will be
      # created (schedules/sales.yaml:12)
      + schedule weekly-sales
          + identifier:  "12db1a0a"
          + name: "Weekly sales report"
          + schedule:    "0 9 ? * MON *"
              # at 09:00 on Monday, next
              # 2026-11-23 09:00
              # Europe/London
          + timezone:    "Europe/London"
          + format:      "pdf"
          + destinationType: "email"
          + recipients:
              + "ana@example.com"
              + "bo@example.com"
              + "cy@example.com"
          + subject:     "Weekly sales"
          + textBody:
              Hello all,
              here are the numbers of the
              week.

              The data team
          + paperFormat: "a4"
    "
  `);
});
