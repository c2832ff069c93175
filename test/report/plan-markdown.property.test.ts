// A plan as a comment on a pull request, read as GitHub reads it: with the parser that the GFM specification is tested
// with, and then as HTML.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change, PlanDocument } from '../../src/model/plan/plan.ts';
import { renderPlanMarkdown } from '../../src/report/plan/plan-markdown.ts';
import { commentLimit } from '../../src/report/print-markdown.ts';
import { nextComment } from '../../src/report/text/markdown-parts.ts';
import { forHostileMarkup, hostileMarkupText } from '../support/report/hostile-markup.ts';
import { elementsOf, harmlessIn } from '../support/report/markdown-elements.ts';
import * as samples from '../support/report/plan-samples.ts';
import { runs } from '../support/runs/runs.ts';

const render = (plan: PlanDocument, limit?: number) => renderPlanMarkdown(plan, { limit });

test('the Markdown of a plan shows every action and every open change', async () => {
  await expect(render(samples.bigPlan)).toMatchFileSnapshot('golden/plan.md');
});

test('the Markdown of a plan names every new recipient and outside domain, also beyond those that it explains', () => {
  const people = Array.from({ length: 30 }, (_, index) => `eve@evil-${index}.example`);
  const before = { ...samples.weeklySales, recipients: ['ana@example.com'] };
  const after = { ...before, recipients: ['ana@example.com', ...people] };
  const changes = samples.losesRecipient('kim@example.com', 4).map((change) => ({ ...change, before, after }));
  const markdown = render(samples.planOf(changes, { operations: 'full' }));
  const dangers = markdown.slice(markdown.indexOf('### Look'), markdown.indexOf('### Changes'));
  expect(dangers).toContain('>   - and 20 more: ');
  for (const person of people) {
    expect(dangers).toContain(`\`${person}\``);
    expect(dangers).toContain(`\`${person.slice('eve@'.length)}\``);
  }
});

test('the Markdown of a plan counts the recipients that it cannot name', () => {
  const people = Array.from({ length: 1000 }, (_, index) => `person-${index}@example.com`);
  const after = { ...samples.weeklySales, recipients: people };
  const markdown = render(samples.planOf([{ ...samples.updateChange, after }], { operations: 'full' }));
  const [, more, names = '', cut] = /and (\d+) more: (`person-.*`), (\d+) without their names$/m.exec(markdown) ?? [];
  expect(Number(more)).toBe(990);
  expect(names.split(', ').length + Number(cut)).toBe(990);
});

test('the Markdown of a plan names each report and links its page, or its dashboard while it does not exist', () => {
  const rows = render(samples.planOf([samples.updateChange, samples.createChange, samples.runChange])).split('\n');
  const dashboard = 'https://acme.omniapp.co/dashboards/12db1a0a';
  const name = `[\`Weekly sales report\`](${dashboard})`;
  const existing = `[\`Weekly sales report\`](${dashboard}/schedules/${samples.updateChange.id})`;
  const to = 'to `ana@example.com`, `bo@example.com`, `cy@example.com`';
  expect(rows).toContain(`| create | \`schedules.weekly-sales\` | ${name}: ${to} | \`schedules/sales.yaml:12\` |`);
  expect(rows.find((row) => row.startsWith('| update'))).toContain(`| ${existing}: \`name\` changes from `);
  const offline = render(samples.planOf([samples.createChange], { baseUrl: null }));
  expect(offline).toContain(`| create | \`schedules.weekly-sales\` | \`Weekly sales report\`: ${to} |`);
});

test('the Markdown of a plan says once what 90 schedules have in common, with their names in a fold', () => {
  const markdown = render(samples.planOf(samples.losesRecipient('kim@example.com', 90), { operations: 'full' }));
  expect(markdown.slice(0, markdown.indexOf('- `schedules.report-1`'))).toMatchInlineSnapshot(`
    "## Almanac plan: 90 to update

    At \`https://acme.omniapp.co/api\`, operations full. 90 requests.

    ### Look at this first

    - **1 recipient is removed**
      - \`kim@example.com\` (\`schedules.report-0\` and 89 others)

    ### Changes

    | | resource | what | declared in |
    |---|---|---|---|
    | update | 90 schedules | \`report-0\`, \`report-1\`, \`report-2\` and 87 more: \`recipients\` lose \`kim@example.com\` | \`schedules/team-0.yaml\` and 11 more files |

    <details><summary>update 90 schedules <code>report-0</code>, <code>report-1</code>, <code>report-2</code> and 87 more</summary>

    \`\`\`diff
    -      recipients: "kim@example.com"
    \`\`\`

    - \`schedules.report-0\`, [\`Report 0\`](https://acme.omniapp.co/dashboards/12db1a0a/schedules/2abba91d-9bec-41a0-8a8d-6f133b4ff0b7)
    "
  `);
  expect(markdown.match(/^- `schedules\.report-\d+`, \[`Report \d+`\]\(https:/gm)).toHaveLength(90);
});

test('the Markdown of equal changes has the same size for any number of them, apart from their names', () => {
  const linesOf = (count: number) =>
    render(samples.planOf(samples.losesRecipient('kim@example.com', count), { operations: 'full' })).split('\n');
  const isName = (line: string) => line.startsWith('- `schedules.report-');
  const others = (count: number) =>
    linesOf(count).flatMap((line) => (isName(line) ? [] : line.replaceAll(/\d+/g, '0')));
  expect(others(300)).toEqual(others(20));
  expect(linesOf(3000).filter(isName)).toHaveLength(3000);
});

test('the Markdown of a plan lists the findings about what changes, and counts the others', () => {
  const markdown = render(samples.planOf([samples.createChange], { diagnostics: samples.manyFindings }));
  expect(markdown.slice(markdown.indexOf('### Findings'), markdown.indexOf('Digest'))).toMatchInlineSnapshot(`
    "### Findings

    - **warning** \`duplicate-schedule\` in \`schedules/sales.yaml:1\`: Two schedules send the same.
    - **warning** \`duplicate-schedule\` in \`schedules/sales.yaml:2\`: Two schedules send the same.
    - **warning** \`duplicate-schedule\` in \`schedules/sales.yaml:3\`: Two schedules send the same.
    - **warning** 7 more \`duplicate-schedule\`: \`almanac plan -v\`
    - 90 findings about resources that this plan does not change: \`almanac plan -v\`

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

  const partsOf = (plan: PlanDocument, limit?: number) => render(plan, limit).split(`\n\n${nextComment}\n\n`);

  test('a plan that is too long for a comment takes several, and leaves nothing out', () => {
    const plan = many(150, 35);
    const parts = partsOf(plan);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(commentLimit);
    const markdown = parts.join('\n');
    expect(markdown.match(/^\| create \|/gm)).toHaveLength(150);
    expect(markdown.match(/^<details>/gm)).toHaveLength(150);
    expect(markdown.match(/A line of text\./g)).toHaveLength(150 * 35);
  });

  test('a table, a fold and the dangers of a plan that is too long for a comment begin again in the next one', () => {
    const people = Array.from({ length: 400 }, (_, index) => `person-${index}@example.com`);
    const after = { ...samples.weeklySales, recipients: people, textBody: 'A line of text.\n'.repeat(500) };
    const plan = samples.planOf([...many(200, 1).changes, { ...samples.createChange, after }]);
    const parts = partsOf(plan, 8_000);
    const count = (part: string, pattern: RegExp) => part.match(pattern)?.length ?? 0;
    expect(parts.length).toBeGreaterThan(10);
    for (const part of parts) {
      expect(count(part, /^<details>/gm)).toBe(count(part, /^<\/details>/gm));
      expect(count(part, /^`{3,}/gm) % 2).toBe(0);
      expect(/^\| create/m.test(part)).toBe(part.includes('|---|---|---|---|'));
    }
    expect(count(parts.join('\n'), /A line of text\./g)).toBe(200 + 500);
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
  const folded = samples.losesRecipient(text, 4).map((change) => ({
    ...change,
    address: `${change.address}${text}`,
    file: text,
    after: { ...change.after, name: text },
  }));
  return samples.planOf([create, update, { ...samples.moveChange, previousAddress: text }, ...folded], {
    baseUrl: text,
    toolVersion: text,
    orphans: [{ id: text, address: text, identifier: text, name: text, since: text }],
    unresolved: [{ address: text, action: 'create', since: text }],
    drift: [
      { address: text, diff: [{ path: '/name', op: 'change', before: text, after: 'x', sensitive: false }] },
      ...[1, 2, 3, 4].map((index) => ({
        address: `${text}${index}`,
        diff: [{ path: `/${text}`, op: 'add', after: text, sensitive: false } as const],
      })),
    ],
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
  test('hostile text has no effect in Markdown', () => {
    forHostileMarkup(
      harmlessIn((text) => render(planWith(text)), 'harmless'),
      runs(300),
    );
  });

  test('hostile text in a link leads to nothing but a dashboard of the service', () => {
    forHostileMarkup((text) => {
      const after = { ...samples.weeklySales, name: text, identifier: text };
      const { hrefs, loose } = elementsOf(render(samples.planOf([{ ...samples.createChange, after }])));
      for (const href of hrefs) expect(href).toMatch(/^https:\/\/acme\.omniapp\.co\/dashboards\/[\w.%-]+$/);
      expect(hrefs.length).toBeLessThanOrEqual(1);
      expect(loose).not.toMatch(/@[\w]|:\/\/\S|www\./i);
    });
  });

  test('hostile text never begins another comment', () => {
    const hostile = fc.oneof(
      hostileMarkupText,
      fc.constantFrom(nextComment, `\n${nextComment}\n`, `a\n\n${nextComment}`),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        expect(render(planWith(text), 10_000_000).split('\n')).not.toContain(nextComment);
      }),
    );
  });
});
