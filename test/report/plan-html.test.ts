// The HTML report as text; test/browser checks it in a browser.

import { parse } from 'parse5';
import { expect, test } from 'vitest';
import type { Json } from '../../src/model/values/json.ts';
import { renderPlanHtml } from '../../src/report/plan/plan-html.ts';
import { forHostileMarkup } from '../support/report/hostile-markup.ts';
import * as samples from '../support/report/plan-samples.ts';

test('the HTML of a plan shows every action and every open change', async () => {
  const html = renderPlanHtml(samples.bigPlan);
  // How it looks, test/browser measures.
  const shown = html.replace(/<style>[^<]*/, '<style>').replace(/'sha256-[^']+'/, "'sha256-OF-THE-STYLE'");
  await expect(shown).toMatchFileSnapshot('golden/plan.html');
});

test('the HTML of many dangerous changes expands only ten, so that the next section is near', () => {
  const removed = samples.planOf(samples.numbered(samples.deleteChange, 12), { operations: 'full' });
  const html = renderPlanHtml(removed);
  const card = /<section class="card danger[a-z ]*"><h3>12 [\s\S]*?<\/section>/.exec(html)?.[0] ?? '';
  const [shown = '', folded = ''] = card.split('<details><summary>and 2 more</summary>');
  expect(shown.match(/<li>/g)).toHaveLength(10);
  expect(folded.match(/<li>/g)).toHaveLength(2);
});

test('the HTML of a plan says once what 90 schedules have in common, with their names in a fold', () => {
  const html = renderPlanHtml(samples.planOf(samples.losesRecipient('kim@example.com', 90), { operations: 'full' }));
  const [card = '', ...others] = html.match(/<details class="card"[\s\S]*?<\/details><\/div><\/details>/g) ?? [];
  expect(others).toEqual([]);
  const [head = '', names = ''] = card.split('<summary>Which 90 schedules</summary>');
  expect(head).toContain('>90 schedules</span>');
  expect(head).toContain(
    '<code>recipients</code> lose <code>kim@example.com</code> · <code>schedules/team-0.yaml</code> and 11 more files',
  );
  expect(names.match(/<li><code>schedules\.report-\d+<\/code>, <a /g)).toHaveLength(90);
});

test('the HTML of a plan shows a list of one text, an empty list and a text each in its own way', () => {
  const of = (value: Json) => {
    const after = { ...samples.weeklySales, extra: { cc: value } };
    return renderPlanHtml(samples.planOf([{ ...samples.createChange, after }], { operations: 'full' }));
  };
  expect(of(['a'])).toContain('<ins class="value">[&quot;a&quot;]</ins>');
  expect(of([])).toContain('<ins class="value">[]</ins>');
  expect(of('a')).toContain('<ins class="value">&quot;a&quot;</ins>');
});

test('the HTML of a hostile name or identifier links to nothing but a dashboard of the service', () => {
  forHostileMarkup((text) => {
    const after = { ...samples.weeklySales, name: text, identifier: text };
    const html = renderPlanHtml(samples.planOf([{ ...samples.createChange, after }]));
    for (const [tag] of html.matchAll(/<a\b[^>]*>/g))
      expect(tag).toMatch(/^<a rel="noopener noreferrer" href="https:\/\/acme\.omniapp\.co\/dashboards\/[\w.%-]+">$/);
    expect(html.match(/href/g)?.length ?? 0).toBe(html.match(/<a /g)?.length ?? 0);
  });
});

test('the HTML of any plan is valid and contains nothing that a browser would run or fetch', () => {
  forHostileMarkup((text) => {
    const after = { ...samples.weeklySales, name: text, subject: text, recipients: [text], textBody: `a\n${text}` };
    const address = `schedules.${text}`;
    const change = { ...samples.createChange, address, file: text, id: text, after, blocked: text };
    const html = renderPlanHtml(samples.planOf([change], { baseUrl: text, toolVersion: text }));
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
  });
});
