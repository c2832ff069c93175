// What a reviewer must see first: the terminal says what the comment on a pull request says.

import { expect, test } from 'vitest';
import type { Danger } from '../../src/model/plan/danger.ts';
import { dangerDoc } from '../../src/report/plan/plan-findings.ts';
import { renderPlanMarkdown } from '../../src/report/plan/plan-markdown.ts';
import { renderPlanText } from '../../src/report/plan/plan-text.ts';
import { linesOf } from '../../src/report/print-text.ts';
import { plainTheme, roles, type Theme } from '../../src/report/text/theme.ts';
import { planOf, updateChange } from '../support/report/plan-samples.ts';

const emails = Array.from({ length: 12 }, (_, index) => `person-${String(index).padStart(2, '0')}@example.com`);
const dangers: readonly Danger[] = [
  {
    code: 'reaches-outside',
    gravity: 'grave',
    title: '1 outside domain is mailed for the first time',
    items: [{ subject: 'evil.example', detail: '`schedules.weekly-sales`' }],
  },
  {
    code: 'recipient-removed',
    gravity: 'caution',
    title: '12 recipients are removed',
    items: emails.map((subject) => ({ subject, detail: '`schedules.weekly-sales`' })),
  },
];
const plan = planOf([updateChange], { dangers });
const page = { theme: plainTheme, width: 80 };

/** The words of the lines, without the marks that only Markdown or only a terminal needs. */
const wordsOf = (text: string) =>
  text
    .replace(/[`*>]|\[!CAUTION\]|\(-v lists all\)/g, '')
    .split('\n')
    .map((line) => line.replace(/^ *(?:[-!#]+ )*/, '').trim())
    // A comment has room for the names that a terminal counts.
    .map((line) => line.replace(/^(and \d+ more): .*/, '$1'))
    .filter((line) => line !== '');
const partOf = (text: string, end: string) => text.slice(text.indexOf('Look at this first'), text.indexOf(end));

test('the terminal shows the same dangers in the same order as the comment', () => {
  const onTerminal = wordsOf(partOf(renderPlanText(plan, page), 'Almanac will do'));
  const inComment = wordsOf(partOf(renderPlanMarkdown(plan), '### Changes'));
  expect(onTerminal.map((line) => line.replace(/:$/, ''))).toEqual(inComment);
  expect(onTerminal).toHaveLength(1 + 2 + 1 + 10 + 1);
});

test('the terminal lists ten items of a danger, and all of them with -v', () => {
  const text = partOf(renderPlanText(plan, page), 'Almanac will do');
  expect(emails.filter((email) => text.includes(email))).toEqual(emails.slice(0, 10));
  expect(text).toContain('     - and 2 more (-v lists all)\n');
  const all = partOf(renderPlanText(plan, { ...page, showsAll: true }), 'Almanac will do');
  expect(emails.filter((email) => all.includes(email))).toEqual(emails);
  expect(all).not.toContain('more (');
});

test('an eleventh item takes no more room than a count of one, so it is shown', () => {
  const eleven = dangers.map((danger) => ({ ...danger, items: danger.items.slice(0, 11) }));
  const text = partOf(renderPlanText(planOf([updateChange], { dangers: eleven }), page), 'Almanac will do');
  expect(emails.filter((email) => text.includes(email))).toHaveLength(11);
  expect(text).not.toContain('more (');
});

test('a grave danger is red as a whole, and another one only at its mark, because yellow text is lost on white', () => {
  const theme = Object.fromEntries(roles.map((role) => [role, (text: string) => `<${role}|${text}>`])) as Theme;
  const lines = linesOf([dangerDoc(dangers)], { theme, width: 48 });
  expect(lines).toContain('  <error|!! ><error|1 outside domain is mailed for the first>');
  expect(lines).toContain('     <error|time>');
  expect(lines).toContain('  <warning|!>  <strong|12 recipients are removed>');
});
