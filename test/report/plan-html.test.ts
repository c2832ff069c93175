// The HTML report as text; test/browser checks it in a browser.

import { parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/model/plan/plan.ts';
import type { Json } from '../../src/model/values/json.ts';
import { renderPlanHtml } from '../../src/report/plan/plan-html.ts';
import { forHostileMarkup } from '../support/report/hostile-markup.ts';
import * as samples from '../support/report/plan-samples.ts';

const options = { now: Date.UTC(2026, 10, 21) };

test('the HTML of a plan shows every action and every open change', async () => {
  const html = renderPlanHtml(samples.bigPlan, options);
  // How it looks, test/browser measures.
  const shown = html.replace(/<style>[^<]*/, '<style>').replace(/'sha256-[^']+'/, "'sha256-OF-THE-STYLE'");
  await expect(shown).toMatchFileSnapshot('golden/plan.html');
});

test('the HTML of many dangerous changes expands only ten, so that the next section is near', () => {
  const removed = samples.planOf(samples.numbered(samples.deleteChange, 12), { operations: 'full' });
  const html = renderPlanHtml(removed, options);
  const card = /<section class="card danger[a-z ]*"><h3>12 [\s\S]*?<\/section>/.exec(html)?.[0] ?? '';
  const [shown = '', folded = ''] = card.split('<details><summary>and 2 more</summary>');
  expect(shown.match(/<li>/g)).toHaveLength(10);
  expect(folded.match(/<li>/g)).toHaveLength(2);
});

test('the HTML of a plan says once what 90 schedules have in common, with their names in a fold', () => {
  const html = renderPlanHtml(
    samples.planOf(samples.losesRecipient('kim@example.com', 90), { operations: 'full' }),
    options,
  );
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
    return renderPlanHtml(samples.planOf([{ ...samples.createChange, after }], { operations: 'full' }), options);
  };
  expect(of(['a'])).toContain('<ins class="value">[&quot;a&quot;]</ins>');
  expect(of([])).toContain('<ins class="value">[]</ins>');
  expect(of('a')).toContain('<ins class="value">&quot;a&quot;</ins>');
});

describe('the week', () => {
  const weekOf = (changes: readonly Change[]) =>
    /<h2>A week of deliveries<\/h2>[\s\S]*?(?=<h2>)/.exec(
      renderPlanHtml(samples.planOf(changes, { operations: 'full' }), options),
    )?.[0] ?? '';
  const moved = (hours: readonly (readonly [from: number, to: number])[], zones = ['Europe/London']) =>
    hours.map(([from, to], index) => {
      const at = { ...samples.weeklySales, timezone: zones[index % zones.length] ?? '' };
      return {
        ...samples.updateChange,
        before: { ...at, schedule: `0 ${from} ? * MON *` },
        after: { ...at, schedule: `0 ${to} ? * MON *` },
      };
    });
  const rowsOf = (html: string) => [...html.matchAll(/<th scope="row">(\d\d):00<\/th>(.*?)<\/tr>/g)];

  test('the HTML of a week shows only what becomes more or fewer, in hours without a gap', () => {
    const html = weekOf(
      moved([
        [6, 8],
        [6, 8],
        [9, 9],
      ]),
    );
    expect(rowsOf(html).map(([, hour, cells = '']) => [hour, cells.replaceAll(/<.*?>/g, '')])).toEqual([
      ['06', '\u22122'],
      ['07', ''],
      ['08', '+2'],
    ]);
    expect(html).toContain('3 deliveries before, 3 deliveries after');
    expect(html).toContain('<td class="more3" title="0 before, 2 after">+2</td>');
  });

  test('the HTML of a week says whose clocks it uses', () => {
    expect(weekOf(moved([[6, 8]]))).toContain('The hours are those that clocks show in <code>Europe/London</code>.');
    const zones = [
      'Asia/Tokyo',
      'Europe/London',
      'America/New_York',
      'Europe/Berlin',
      'Asia/Seoul',
      'Asia/Dubai',
      'UTC',
    ];
    expect(
      weekOf(
        moved(
          zones.map(() => [6, 8]),
          zones,
        ),
      ),
    ).toContain(
      'in its own time zone (America/New_York, Asia/Dubai, Asia/Seoul, Asia/Tokyo, Europe/Berlin and 2 more), so 09:00 is not the same moment',
    );
  });

  test('the HTML of a week in which no hour differs is a sentence', () => {
    const html = weekOf(samples.losesRecipient('kim@example.com', 5));
    expect(html).toContain('5 deliveries from 2026-11-21 to 2026-11-27, before and after, each in the same hour.');
    expect(html).not.toContain('<table');
  });

  test('the HTML of a week says how many schedules change, but deliver on other days', () => {
    const monthly = (from: number, to: number, name: string): Change => ({
      ...samples.updateChange,
      address: `schedules.${name}`,
      before: { ...samples.weeklySales, schedule: `0 7 ${from} * ? *` },
      after: { ...samples.weeklySales, schedule: `0 7 ${to} * ? *` },
    });
    const [first, second, recipients] = [monthly(1, 2, 'a'), monthly(1, 2, 'b'), monthly(1, 1, 'c')];
    const gone: Change = { ...first, action: 'delete', after: null };
    const outside = (words: string) => `<p>${words} outside of this week.</p>`;
    const two = outside('2 schedules start, stop or move');
    expect(weekOf([first, gone])).toContain(`<p>No deliveries from 2026-11-21 to 2026-11-27.</p>${two}`);
    expect(weekOf([first, second, recipients, ...moved([[6, 8]])])).toContain(two);
    expect(weekOf([first, ...moved([[9, 9]])])).toContain(outside('1 schedule starts, stops or moves'));
    expect(weekOf([recipients])).toBe('');
    expect(weekOf(moved([[6, 8]]))).not.toContain('outside of this week');
  });
});

test('the HTML of a hostile name or identifier links to nothing but a dashboard of the service', () => {
  forHostileMarkup((text) => {
    const after = { ...samples.weeklySales, name: text, identifier: text };
    const html = renderPlanHtml(samples.planOf([{ ...samples.createChange, after }]), options);
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
  });
});
