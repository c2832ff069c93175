// What apply prints of results, as far as no service makes them. The rest: test/transcripts/apply/results.txt.

import { expect, test } from 'vitest';
import { renderApplySummary } from '../../src/commands/apply/apply.ts';
import { changeBlock } from '../../src/commands/base/progress.ts';
import type { ApplyDocument, ApplyResult } from '../../src/model/plan/apply-outcome.ts';
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

function summaryOf(document: ApplyDocument, theme: Theme = plainTheme): string {
  const attributesOf = () => ({ roleArn: 'arn:aws:iam::123456789012:role/omni-reports' });
  return `\n${renderApplySummary(document, { theme, width: 80, attributesOf, finished: [] })}`;
}

function lineOf(result: ApplyResult, change = samples.createChange, theme: Theme = plainTheme): string {
  return linesOf([changeBlock(result, change, 80)], { theme, width: 80 }).join('\n');
}

test('the line of a change says if it is only recorded, and is cut to the width of a terminal', () => {
  const recorded = { ...samples.updateChange, requests: 0 };
  expect(lineOf({ ...created, action: 'update' }, recorded)).toContain('schedules.to-s3 updated in the state (id');
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

test('after Ctrl-C, the last line says how much is open and what does it', () => {
  const left = { ...skipped, error: { code: 'interrupted', message: 'The run was interrupted.' } };
  const text = summaryOf(documentOf([created, left, { ...left, address: 'schedules.e' }]));
  expect(text).toMatch(/\nApplied 1 change, 2 skipped\.\n2 changes are open: run `almanac apply` again\.\n$/);
  expect(summaryOf(documentOf([failed, skipped]))).not.toContain('open');
});

test('where Omni no longer answers, the last line says how many changes were not started', () => {
  const left = { ...skipped, error: { code: 'api-unreachable', message: 'Not started: Omni no longer answers.' } };
  const text = summaryOf(documentOf([lost, left, { ...left, address: 'schedules.e' }]));
  expect(text).toMatch(/\n2 changes were not started: run `almanac apply` again when Omni answers\.\n$/);
});

test('failures that differ only in the id of the resource are one entry', () => {
  const refused = Array.from({ length: 90 }, (_, index) => ({
    ...failed,
    address: `schedules.s${index}`,
    error: { ...failed.error, code: 'x', message: `403 to PUT /v1/schedules/2abba91d-9bec-41a0-8a8d-${1e11 + index}.` },
  }));
  const text = summaryOf(documentOf(refused));
  expect(text.split('\n').length).toBeLessThan(20);
  expect(text).toContain('  and 85 more (-v lists all)\n  403 to PUT /v1/schedules/ID.\n');
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
