// The fields of a difference: what a set loses and gains has no position, and old and new values have the colours of
// their signs.

import { expect, test } from 'vitest';
import type { FieldDiff } from '../../src/model/plan/plan.ts';
import { changedFields, declaredFields } from '../../src/report/fields/field-list.ts';
import { setDifferences } from '../../src/report/fields/set-differences.ts';
import { linesOf } from '../../src/report/print-text.ts';
import { plainTheme, roles, type Theme } from '../../src/report/text/theme.ts';
import { oldId } from '../support/report/plan-samples.ts';

const gains = (index: number, email: string): FieldDiff => ({
  path: `/recipients/${index}`,
  op: 'add',
  after: email,
  sensitive: false,
});
const loses = (index: number, email: string): FieldDiff => ({
  path: `/recipients/${index}`,
  op: 'remove',
  before: email,
  sensitive: false,
});

function textOf(
  diff: readonly FieldDiff[],
  { theme = plainTheme, kind = 'schedule' as 'schedule' | 'dashboard' } = {},
) {
  return linesOf([{ fields: changedFields({ kind, diff }) }], { theme, width: 80 });
}

test('a recipient that is added or removed is shown without a position', () => {
  expect(textOf([gains(1, 'bo@example.com')])).toEqual(['      + recipients: "bo@example.com"']);
  expect(textOf([loses(0, 'ana@example.com')])).toEqual(['      - recipients: "ana@example.com"']);
});

test('an element of an ordered list keeps its position', () => {
  const diff: readonly FieldDiff[] = [{ path: '/filterOrder/2', op: 'add', after: 'region', sensitive: false }];
  expect(textOf(diff, { kind: 'dashboard' })).toEqual(['      + filterOrder.2: "region"']);
});

test('a set inside of a record has no positions either', () => {
  const diff: readonly FieldDiff[] = [
    { path: '/lifecycle/ignoreChanges/0', op: 'remove', before: 'name', sensitive: false },
  ];
  expect(textOf(diff)).toEqual(['      - lifecycle.ignoreChanges: "name"']);
});

const roleTheme = Object.fromEntries(roles.map((role) => [role, (text: string) => `<${role}|${text}>`])) as Theme;

test('an old value has the colour of what is removed, and a new one of what is added', () => {
  const changed: FieldDiff = { path: '/name', op: 'change', before: 'Old', after: 'New', sensitive: false };
  expect(textOf([changed], { theme: roleTheme })).toEqual(['      <changed|~> name: <removed|"Old"> -> <added|"New">']);
  expect(textOf([gains(0, 'bo@example.com')], { theme: roleTheme })).toEqual([
    '      <added|+> recipients: <added|"bo@example.com">',
  ]);
  const dropped: FieldDiff = { path: '/subject', op: 'remove', before: 'Hello', sensitive: false };
  expect(textOf([dropped], { theme: roleTheme })).toEqual(['      <removed|-> subject: <removed|"Hello">']);
});

test('the values of a new declaration are plain, and its id and comments are dim', () => {
  const attributes = { name: 'Sales', schedule: '0 9 ? * MON *' };
  const fields = declaredFields({
    kind: 'schedule',
    id: oldId,
    attributes,
    sign: '+',
    timing: { words: 'at 09:00 on Monday' },
  });
  const lines = linesOf([{ fields }], { theme: roleTheme, width: 100 });
  expect(lines).toEqual([
    `        <dim|id:       ><dim|"${oldId}">`,
    '      <added|+> name:     "Sales"',
    '      <added|+> schedule: "0 9 ? * MON *"  <dim|# at 09:00 on Monday>',
  ]);
});

test('the differences of sets stay the same when they are asked for again', () => {
  const once = setDifferences('schedule', [gains(4, 'bo@example.com'), loses(2, 'ana@example.com')]);
  expect(setDifferences('schedule', once)).toEqual(once);
  expect(once).toHaveLength(1);
});
