// Which changes are equal, and how reports say what they have in common.

import { expect, test } from 'vitest';
import { sinkFields } from '../../src/model/fields/delivery.ts';
import type { Change, FieldDiff } from '../../src/model/plan/plan.ts';
import { differenceWords } from '../../src/report/plan/folds/difference-words.ts';
import { foldChanges, foldDrift, isOfSink } from '../../src/report/plan/folds/fold-changes.ts';
import { inlineOf } from '../../src/report/print-markdown.ts';
import { printText } from '../../src/report/print-text.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import * as samples from '../support/report/plan-samples.ts';

const leavers = samples.losesRecipient('kim@example.com', 90);

function inWords(kind: Change['kind'], diff: readonly FieldDiff[]): string {
  return inlineOf(differenceWords(kind, diff)).replaceAll(/`([^`]*)`/g, '<$1>');
}

test('every field that a sink gives is one that it replaces', () => {
  const [change] = leavers;
  if (change === undefined) throw new Error('no change');
  for (const field of sinkFields)
    expect(
      isOfSink({ ...change, reason: 'sink', diff: [{ path: `/${field}`, op: 'add', after: 'x', sensitive: false }] }),
    ).toBe(true);
});

test('changes that differ in action, reason, difference or what blocks them are not equal', () => {
  const alike = leavers.slice(0, 4);
  const [one, ...others] = alike;
  if (one === undefined) throw new Error('no change');
  const variants: readonly Partial<Change>[] = [
    { action: 'replace', reason: 'cannot-update' },
    { reason: 'drifted' },
    { previousAddress: 'schedules.before' },
    { blocked: 'it is protected' },
    { diff: [{ path: '/recipients/0', op: 'remove', before: 'lee@example.com', sensitive: false }] },
    { diff: [{ path: '/recipients/0', op: 'add', after: 'kim@example.com', sensitive: false }] },
    { diff: [...one.diff, { path: '/format', op: 'change', before: 'pdf', after: 'png', sensitive: false }] },
  ];
  for (const variant of variants) expect(foldChanges([{ ...one, ...variant }, ...others])).toHaveLength(4);
});

test('when many run is said only as far as all of them agree', () => {
  const changes = leavers.map((change, index) => ({
    ...change,
    after: { ...change.after, schedule: '0 9 ? * MON *', timezone: index === 0 ? 'UTC' : 'Europe/London' },
  }));
  const [folded] = foldChanges(samples.planOf(changes).changes);
  expect(folded?.same.timings.after).toEqual({ words: 'at 09:00 on Monday' });
});

test('resources that are created, deleted or run are never folded: each is another', () => {
  for (const change of [samples.createChange, samples.deleteChange, samples.forgetChange, samples.runChange]) {
    expect(foldChanges(samples.numbered(change, 20))).toHaveLength(20);
  }
});

test('equal secrets in a list are not taken for the same value', () => {
  const diff: readonly FieldDiff[] = [
    { path: '/recipients/0', op: 'remove', before: '(sensitive)', sensitive: true },
    { path: '/recipients/0', op: 'add', after: '(sensitive)', sensitive: true },
  ];
  expect(foldChanges([{ ...samples.updateChange, diff }])[0]?.same.diff).toEqual(diff);
});

test('the same change made by others in many resources is one entry', () => {
  const diff = (place: number): readonly FieldDiff[] => [
    { path: `/recipients/${place}`, op: 'add', after: 'eve@example.com', sensitive: false },
  ];
  const drift = Array.from({ length: 5 }, (_, index) => ({ address: `schedules.report-${index}`, diff: diff(index) }));
  const [folded, ...others] = foldDrift(drift);
  expect(others).toEqual([]);
  expect(folded?.addresses).toHaveLength(5);
  expect(inWords('schedule', folded?.diff ?? [])).toBe('<recipients> gain <eve@example.com>');
});

test.each([
  ['one value for another', [changed('/format', 'pdf', 'png')], '<format> changes from <pdf> to <png>'],
  ['a value that appears', [added('/paperFormat', 'a4')], '<paperFormat> becomes <a4>'],
  ['a value that goes', [removed('/subject', 'Sales')], '<subject> is removed (was <Sales>)'],
  ['a long text', [changed('/textBody', 'a', 'b\nc')], '<textBody> changes'],
  [
    'people who come and go',
    [removed('/recipients/0', 'a@b.c'), added('/recipients/1', 'd@e.f'), added('/recipients/2', 'g@h.i')],
    '<recipients> lose <a@b.c> and gain <d@e.f>, <g@h.i>',
  ],
  [
    'many people',
    [0, 1, 2, 3, 4].map((index) => removed(`/recipients/${index}`, `p${index}@b.c`)),
    '<recipients> lose <p0@b.c>, <p1@b.c>, <p2@b.c>, 2 more',
  ],
  [
    'the value of a secret',
    [{ ...changed('/passwordUnencrypted', '${env.A}', '${env.A}'), sensitive: true }],
    '<passwordUnencrypted> gets another value',
  ],
  [
    'many fields',
    ['name', 'subject', 'format', 'schedule', 'timezone', 'filename'].map((field) => removed(`/${field}`, 'x')),
    '<name> is removed (was <x>); <schedule> is removed (was <x>); <timezone> is removed (was <x>); <format> is removed (was <x>); <subject> and <filename> change',
  ],
] as const)('a difference in words is %s', (_, diff, words) => {
  const [folded] = foldChanges([{ ...samples.updateChange, diff }]);
  expect(inWords('schedule', folded?.same.diff ?? [])).toBe(words);
});

test.each([
  ['Report', 'The report', 'subject changes from "Report" to "The report"\n'],
  ['The report', 'true', 'subject changes from "The report" to "true"\n'],
  ['true', 'Report', 'subject changes from "true" to "Report"\n'],
  ['Report', 'Reports', 'subject changes from Report to Reports\n'],
])('a terminal shows both sides of a change from %s to %s in quotes, or neither', (before, after, words) => {
  const page = { theme: plainTheme, width: 80 };
  expect(printText([differenceWords('schedule', [changed('/subject', before, after)])], page)).toBe(words);
});

function changed(path: string, before: string, after: string): FieldDiff {
  return { path, op: 'change', before, after, sensitive: false };
}

function added(path: string, after: string): FieldDiff {
  return { path, op: 'add', after, sensitive: false };
}

function removed(path: string, before: string): FieldDiff {
  return { path, op: 'remove', before, sensitive: false };
}
