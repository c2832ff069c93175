// A plan as a comment on a pull request, read as GitHub reads it: with the parser that the GFM specification is tested
// with, and then as HTML.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change, PlanDocument } from '../../src/model/plan/plan.ts';
import { commentLimit, renderPlanMarkdown } from '../../src/render/plan/plan-markdown.ts';
import { hostileMarkup, hostileMarkupText } from '../support/render/hostile-markup.ts';
import { elementsOf } from '../support/render/markdown-elements.ts';
import * as samples from '../support/render/plan-samples.ts';

const { cron } = samples;
const render = (plan: PlanDocument, limit?: number) =>
  renderPlanMarkdown(plan, { cron, ...(limit !== undefined && { limit }) });

test('the Markdown of a plan shows every action and every open change', async () => {
  await expect(render(samples.bigPlan)).toMatchFileSnapshot('golden/plan.md');
});

test('the Markdown of an empty plan says that there is nothing to do', () => {
  expect(render(samples.planOf([]))).toBe(
    '## Almanac plan: no changes\n\nThe declarations match the state. At `https://acme.omniapp.co/api`, operations core.\n',
  );
});

test('the Markdown of a plan names new recipients', () => {
  const update = (address: string, before: readonly string[], after: readonly string[]): Change => ({
    ...samples.updateChange,
    address,
    before: { ...samples.weeklySales, recipients: before },
    after: { ...samples.weeklySales, recipients: after },
    diff: [{ path: '/recipients', op: 'change', before, after, sensitive: false }],
  });
  const plan = samples.planOf(
    [
      update('schedules.a', ['ana@example.com'], ['ana@example.com', 'eve@Evil.example', 'bo@known.example']),
      update('schedules.b', ['cy@known.example'], ['cy@known.example', 'eve@Evil.example']),
    ],
    { operations: 'full' },
  );
  const markdown = render(plan);
  expect(markdown.slice(markdown.indexOf('### Look'), markdown.indexOf('### Changes'))).toMatchInlineSnapshot(`
    "### Look at this first

    > [!CAUTION]
    > - **1 outside domain receives something for the first time**
    >   - \`evil.example\` (\`schedules.a\` and 1 other)

    - **2 recipients are added**
      - \`bo@known.example\` (\`schedules.a\`)
      - \`eve@Evil.example\` (\`schedules.a\` and 1 other)

    "
  `);
});

test('the Markdown of a plan does not colour text that looks like a difference', () => {
  const textBody = 'Hello\n- recipients: ana@example.com\n+ recipients: eve@example.com\n';
  const created = { ...samples.createChange, after: { ...samples.weeklySales, textBody } };
  const before = { ...samples.weeklySales, textBody: `${textBody}Bye\n` };
  const diff = [
    { path: '/textBody', op: 'change', before: before.textBody, after: textBody, sensitive: false },
  ] as const;
  const updated = { ...samples.updateChange, before, after: created.after, diff };
  const lines = render(samples.planOf([created, updated])).split('\n');
  const ofText = lines.filter((line) => line.includes('recipients: ana@example.com'));
  expect(ofText.map((line) => line.trimStart())).toEqual(Array(2).fill('- recipients: ana@example.com'));
  for (const line of ofText) expect(line).toMatch(/^ /);
  expect(lines.filter((line) => /^-\s+Bye$/.test(line))).toHaveLength(1);
});

describe('a plan that is too long for a comment', () => {
  const many = (count: number, bodyLines: number) =>
    samples.planOf(
      Array.from({ length: count }, (_, index) => ({
        ...samples.createChange,
        address: `schedules.report-${index}`,
        after: { ...samples.weeklySales, name: `Report ${index}`, textBody: 'A line of text.\n'.repeat(bodyLines) },
      })),
    );

  test('a plan that is too long for a comment omits details before rows, and says so', () => {
    const markdown = render(many(150, 15));
    expect(markdown.length).toBeLessThanOrEqual(commentLimit);
    expect(markdown.match(/^\| create \|/gm)).toHaveLength(150);
    const shown = markdown.match(/^<details>/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(10);
    expect(markdown).toContain(`${150 - shown} times the details of a resource`);
    expect(markdown).toContain('`almanac plan` prints all of it');
  });

  test('a plan that is too long for a comment omits rows if no details are left', () => {
    const markdown = render(many(3000, 1));
    expect(markdown.length).toBeLessThanOrEqual(commentLimit);
    const rows = markdown.match(/^\| create \|/gm)?.length ?? 0;
    expect(rows).toBeGreaterThan(300);
    expect(markdown).toContain(`${3000 - rows} rows of the table, 3000 times the details`);
  });

  test('a plan that is too long for a comment keeps the rows of serious changes', () => {
    const { changes } = many(3000, 1);
    const markdown = render(samples.planOf([...changes, samples.deleteChange]));
    expect(markdown).toContain('| **delete** | `schedules.legacy` |');
  });
});

/** The same plan with a text of the reader's choice wherever the service or a file gives one. */
function planWith(text: string): PlanDocument {
  const attributes = { ...samples.weeklySales, name: text, recipients: [text, `a@${text}`], textBody: `a\n${text}\nb` };
  const create = { ...samples.createChange, address: `schedules.${text}`, file: text, after: attributes };
  const update: Change = {
    ...samples.updateChange,
    address: `schedules.${text}`,
    previousAddress: text,
    id: text,
    blocked: `it is \`${text}\` and ${text}`,
    before: samples.weeklySales,
    after: attributes,
    diff: [
      { path: '/name', op: 'change', before: 'x', after: text, sensitive: false },
      { path: '/textBody', op: 'change', before: 'a\nb', after: `a\n${text}\nb`, sensitive: false },
    ],
  };
  return samples.planOf([create, update, { ...samples.moveChange, previousAddress: text }], {
    baseUrl: text,
    toolVersion: text,
    orphans: [{ id: text, address: text, identifier: text, name: text, since: text }],
    unresolved: [{ address: text, action: 'create', since: text }],
    drift: [{ address: text, diff: [{ path: '/name', op: 'change', before: text, after: 'x', sensitive: false }] }],
    diagnostics: [
      {
        severity: 'warning',
        code: 'unknown-region',
        summary: 'x',
        message: `${text} \`${text}\` ${text}`,
        file: text,
        line: 1,
      },
    ],
  });
}

describe('hostile text', () => {
  const harmless = elementsOf(render(planWith('harmless')));
  const allowed = new Set(harmless.tags);

  const expectHarmless = (text: string) => {
    const { tags, loose } = elementsOf(render(planWith(text)));
    expect(tags.filter((tag) => !allowed.has(tag))).toEqual([]);
    // As many cells and rows as there have to be: no pipe ends a cell, and no newline a row.
    for (const tag of ['tr', 'td', 'th', 'details', 'h2', 'h3', 'pre', 'table'])
      expect(tags.filter((each) => each === tag).length, tag).toBe(harmless.tags.filter((each) => each === tag).length);
    // Nobody is pinged, no issue is linked, nothing is closed: outside of code, where none of them works, they are broken.
    expect(loose).not.toMatch(/@[\w]|(?:^|\W)#\d|:\/\/\S|www\./i);
    expect(loose).not.toMatch(/^\s*\/[a-z]/m);
  };

  test.each(hostileMarkup)('hostile text %j has no effect in Markdown', expectHarmless);

  test('hostile text of any kind has no effect in Markdown', () => {
    fc.assert(fc.property(hostileMarkupText, expectHarmless), { numRuns: 300 });
  });

  test('hostile text never makes the comment too long', () => {
    fc.assert(
      fc.property(hostileMarkupText, fc.integer({ min: 8_000, max: 20_000 }), (text, limit) => {
        expect(render(planWith(text.repeat(50)), limit).length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
