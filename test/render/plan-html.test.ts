// The HTML report as text; test/browser checks it in a browser.

import fc from 'fast-check';
import { parse } from 'parse5';
import { expect, test } from 'vitest';
import { renderPlanHtml } from '../../src/render/plan/plan-html.ts';
import { hostileMarkupText } from '../support/render/hostile-markup.ts';
import * as samples from '../support/render/plan-samples.ts';

const options = { cron: samples.cron, now: Date.UTC(2026, 10, 21) };

test('the HTML of a plan shows every action and every open change', async () => {
  await expect(renderPlanHtml(samples.bigPlan, options)).toMatchFileSnapshot('golden/plan.html');
});

test('the HTML of a plan is the same for the same plan and time', () => {
  expect(renderPlanHtml(samples.bigPlan, options)).toBe(renderPlanHtml(structuredClone(samples.bigPlan), options));
});

test('the HTML of many dangerous changes expands only ten, so that the next section is near', () => {
  const removed = Array.from({ length: 12 }, (_, index) => ({
    ...samples.deleteChange,
    address: `schedules.report-${index}`,
  }));
  const html = renderPlanHtml(samples.planOf(removed, { operations: 'full' }), options);
  const card = /<section class="card danger[a-z ]*"><h3>12 [\s\S]*?<\/section>/.exec(html)?.[0] ?? '';
  const [shown = '', folded = ''] = card.split('<details><summary>and 2 more</summary>');
  expect(shown.match(/<li>/g)).toHaveLength(10);
  expect(folded.match(/<li>/g)).toHaveLength(2);
});

test('the HTML of a week without deliveries has no empty table', () => {
  const captions = (plan: Parameters<typeof renderPlanHtml>[0]) =>
    [...renderPlanHtml(plan, options).matchAll(/<caption>(\w+)<\/caption>/g)].map(([, caption]) => caption);
  expect(captions(samples.planOf([samples.createChange]))).toEqual(['After']);
  expect(captions(samples.planOf([samples.deleteChange], { operations: 'full' }))).toEqual(['Before']);
  expect(captions(samples.planOf([samples.updateChange], { operations: 'full' }))).toEqual(['Before', 'After']);
});

test('the HTML of any plan is valid and contains nothing that a browser would run or fetch', () => {
  fc.assert(
    fc.property(hostileMarkupText, (text) => {
      const after = { ...samples.weeklySales, name: text, subject: text, recipients: [text], textBody: `a\n${text}` };
      const change = {
        ...samples.createChange,
        address: `schedules.${text}`,
        file: text,
        id: text,
        after,
        blocked: text,
      };
      const html = renderPlanHtml(samples.planOf([change], { baseUrl: text, toolVersion: text }), options);
      const mistakes: string[] = [];
      const found = new Set<string>();
      const visit = (node: object): void => {
        if ('tagName' in node && 'attrs' in node) {
          const names = (node.attrs as { name: string }[]).map(({ name }) => name);
          found.add([node.tagName, ...names].join(' '));
        }
        if ('childNodes' in node) for (const child of node.childNodes as object[]) visit(child);
      };
      visit(parse(html, { onParseError: ({ code }) => mistakes.push(code) }));
      expect(mistakes).toEqual([]);
      for (const tag of found)
        expect(tag).not.toMatch(/^(?:script|img|svg|iframe|link|a|form|object|base|h4)\b| on\w|href|src/);
    }),
  );
});
