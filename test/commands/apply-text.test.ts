import { expect, test } from 'vitest';
import { renderApplySummary } from '../../src/commands/apply/apply-text.ts';
import { changeBlock } from '../../src/commands/base/progress.ts';
import type { ApplyDocument, ApplyResult, FinishedEntry } from '../../src/model/plan/apply-outcome.ts';
import { linesOf } from '../../src/report/print-text.ts';
import { colourTheme, plainTheme, type Theme } from '../../src/report/text/theme.ts';
import { hostileTexts } from '../support/report/hostile-text.ts';
import * as samples from '../support/report/plan-samples.ts';
import { obeyed, stripSgr } from '../support/report/strip-sgr.ts';

const created: ApplyResult = {
  address: 'schedules.to-s3',
  action: 'create',
  status: 'applied',
  id: samples.oldId,
  outputs: {
    delivererRoleArn: 'arn:aws:iam::529831494235:role/OmniSchedulerDelivererRole',
    externalId: '7f3c2a10-0000-4000-8000-000000000001',
  },
  requests: 1,
};
const failed: ApplyResult = {
  address: 'schedules.b',
  action: 'create',
  status: 'failed',
  requests: 1,
  error: {
    code: 'api-rejected',
    message: 'The service answered 400 to POST /v1/schedules: "recipients: Invalid email".',
    hint: 'Correct the declaration and apply again.',
  },
};
const lost: ApplyResult = {
  address: 'schedules.c',
  action: 'create',
  status: 'unknown',
  requests: 1,
  error: { code: 'api-answer-lost', message: 'The connection was reset after the request was sent.' },
};
const skipped: ApplyResult = {
  address: 'schedules.d',
  action: 'update',
  status: 'skipped',
  requests: 0,
  error: { code: 'skipped', message: 'dashboards.sales failed.' },
};
const ran: ApplyResult = {
  address: 'aiJobs.q3-summary',
  action: 'run',
  status: 'applied',
  outputs: { omniChatUrl: 'https://acme.omniapp.co/chat/770e8400-e29b-41d4-a716-446655440002' },
  requests: 1,
};

function documentOf(results: readonly ApplyResult[], orphans: ApplyDocument['orphans'] = []): ApplyDocument {
  const summary = { applied: 0, failed: 0, skipped: 0, unknown: 0 };
  for (const { status } of results) summary[status] += 1;
  return { formatVersion: 1, digest: 'd', results, orphans, summary };
}

function summaryOf(
  document: ApplyDocument,
  theme: Theme = plainTheme,
  finished: readonly FinishedEntry[] = [],
): string {
  const attributesOf = () => ({ roleArn: 'arn:aws:iam::123456789012:role/omni-reports' });
  return `\n${renderApplySummary(document, { theme, width: 80, attributesOf, finished })}`;
}

function lineOf(result: ApplyResult, change = samples.createChange, theme: Theme = plainTheme): string {
  return linesOf([changeBlock(result, change, 80)], { theme, width: 80 }).join('\n');
}

test('an apply prints one line for each change', () => {
  expect(lineOf(created)).toBe('  + schedules.to-s3 created (id 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7)');
  expect(lineOf(ran)).toBe('  > aiJobs.q3-summary ran');
  expect(lineOf({ ...skipped, status: 'applied', action: 'move' }, samples.moveChange)).toBe(
    ' -> schedules.d moved from schedules.orders',
  );
  const recorded = { ...samples.updateChange, requests: 0 };
  expect(lineOf({ ...created, action: 'update' }, recorded)).toContain('schedules.to-s3 updated in the state (id');
  expect(lineOf(failed)).toBe('  ! schedules.b (create) failed: The service answered 400 to POST /v1/schedules…');
  expect(lineOf(lost)).toBe('  ? schedules.c (create) has an unknown outcome: The connection was reset after…');
  expect(lineOf(skipped)).toBe('  ! schedules.d (update) skipped: dashboards.sales failed.');
});

test('an apply prints failures, unknown outcomes and skipped changes, and the same message only once', () => {
  expect(summaryOf(documentOf([failed, lost, skipped, { ...skipped, address: 'schedules.e' }]))).toMatchInlineSnapshot(`
    "
    ! schedules.b (create) failed
      The service answered 400 to POST /v1/schedules: "recipients: Invalid email".
      hint: Correct the declaration and apply again.

    ! schedules.c (create) has an unknown outcome
      The connection was reset after the request was sent.
      Check in Omni whether it was carried out, then record the answer with one of:
        almanac state resolve schedules.c --id ID
        almanac state resolve schedules.c --done
        almanac state resolve schedules.c --retry

    ! schedules.d (update) skipped
    ! schedules.e (update) skipped
      dashboards.sales failed.

    Applied 0 changes, 1 failed, 1 with an unknown outcome, 2 skipped.
    "
  `);
});

test('an apply prints what is left to do: chats, one trust policy per role, orphans', () => {
  const results = [ran, created, { ...created, address: 'schedules.also-to-s3' }];
  expect(summaryOf(documentOf(results, [samples.orphan]))).toMatchInlineSnapshot(`
    "
    AI jobs run here:
      aiJobs.q3-summary
        https://acme.omniapp.co/chat/770e8400-e29b-41d4-a716-446655440002

    To do: let Omni assume arn:aws:iam::123456789012:role/omni-reports
      schedules.to-s3, schedules.also-to-s3 can deliver once the trust policy of
      that role holds this statement:

    {
      "Effect": "Allow",
      "Principal": {
        "AWS": "arn:aws:iam::529831494235:role/OmniSchedulerDelivererRole"
      },
      "Action": "sts:AssumeRole",
      "Condition": {
        "StringEquals": {
          "sts:ExternalId": "7f3c2a10-0000-4000-8000-000000000001"
        }
      }
    }

    Orphans: 1 schedule that Almanac created still runs in Omni, untracked.

      ! 0d2f4c5b-1111-4222-8333-444455556666
          "Legacy" on dashboard 12db1a0a, was schedules.legacy, since
          2026-11-01T09:00:00Z

    Remove it in Omni, then clear it from this list:
      almanac state orphans --clear ID

    Applied 3 changes.
    "
  `);
});

test('failures that differ only in the id of the resource are one entry', () => {
  const refused = Array.from({ length: 90 }, (_, index) => ({
    ...failed,
    address: `schedules.s${index}`,
    error: { ...failed.error, code: 'x', message: `403 to PUT /v1/schedules/2abba91d-9bec-41a0-8a8d-${1e11 + index}.` },
  }));
  const text = summaryOf(documentOf(refused));
  expect(text.split('\n').length).toBeLessThan(20);
  expect(text).toContain('  and 80 more (-v lists all)\n  403 to PUT /v1/schedules/ID.\n');
  expect(summaryOf(documentOf(refused.slice(0, 1)))).toContain('/v1/schedules/2abba91d-9bec-41a0-8a8d-100000000000.');
});

test('the text of an apply is the same with and without colour', () => {
  const document = documentOf([failed, lost, skipped, ran, created], [samples.orphan]);
  expect(stripSgr(summaryOf(document, colourTheme))).toBe(summaryOf(document));
  expect(stripSgr(lineOf(created, samples.createChange, colourTheme))).toBe(lineOf(created));
});

test.each(hostileTexts)('the service cannot control the terminal through an apply: %j', (text) => {
  const error = { code: 'api-rejected', message: text, hint: text };
  const outputs = { delivererRoleArn: text, externalId: text, omniChatUrl: text };
  const results = [
    { ...failed, address: text, error },
    { ...created, id: text, outputs },
  ];
  expect(summaryOf(documentOf(results, [{ ...samples.orphan, name: text, id: text }]))).not.toMatch(obeyed);
  for (const result of results) {
    expect(lineOf(result)).not.toMatch(obeyed);
  }
});

test('apply names three of the entries that it finished, and counts the others', () => {
  const finished = Array.from({ length: 12 }, (_, index) => ({
    section: 'adopt',
    file: 'schedules/a.yaml',
    line: index + 3,
  }));
  expect(summaryOf(documentOf([created]), plainTheme, finished)).toMatch(
    /12 entries have taken effect and can be removed with almanac fmt --prune:\n {2}schedules\/a.yaml:3 \(adopt\)\n.*\n.*\n {2}and 9 more \(-v lists all\)\n/,
  );
});
