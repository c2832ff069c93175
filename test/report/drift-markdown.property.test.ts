// Drift as Markdown, read as GitHub reads job summaries and issues.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderDriftMarkdown, renderDriftText } from '../../src/commands/drift/drift.ts';
import type { DriftDocument } from '../../src/model/plan/drift-document.ts';
import type { Change } from '../../src/model/plan/plan.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import { wordingFor } from '../../src/report/wording.ts';
import { forHostileMarkup, hostileMarkupText } from '../support/report/hostile-markup.ts';
import { harmlessIn } from '../support/report/markdown-elements.ts';
import * as samples from '../support/report/plan-samples.ts';
import { runs } from '../support/runs/runs.ts';

const render = (document: DriftDocument, limit?: number) => renderDriftMarkdown(document, { limit });

/** A text of the reader's choice wherever the service or a file gives one. */
function driftWith(text: string): DriftDocument {
  const address = `schedules.${text}`;
  const change = { ...samples.updateChange, address, file: text };
  return {
    ...samples.planOf([change], {
      baseUrl: text,
      drift: [{ address, diff: [{ path: '/name', op: 'change', before: text, after: 'x', sensitive: false }] }],
      diagnostics: [
        { severity: 'warning', code: 'not-read', summary: 'x', message: `${text} \`${text}\``, file: text },
      ],
    }),
    detailsNotCompared: 3,
    untracked: [
      { id: text, name: text, identifier: text, dashboardName: text, owner: text, lastRunAt: text },
      { id: 'u2', identifier: '12db1a0a' },
    ],
  };
}

test('the Markdown of drift links each schedule to its page in Omni, on the dashboard where it was found', () => {
  const change: Change = { ...samples.updateChange, reason: 'refreshed', id: 'one' };
  const { before, after } = change;
  const moved = {
    ...change,
    before: { ...before, identifier: '12db1a0a' },
    after: { ...after, identifier: '3f9c2b71' },
  };
  const markdown = render({
    ...samples.planOf([moved], {
      baseUrl: 'https://acme.omniapp.co/api',
      drift: [{ address: change.address, diff: change.diff }],
    }),
    detailsNotCompared: 0,
    untracked: [{ id: 'two', name: 'Daily', identifier: '12db1a0a' }],
  });
  const at = 'https://acme.omniapp.co/dashboards';
  expect(markdown).toContain(`[\`${change.address}\`](${at}/3f9c2b71/schedules/one)`);
  expect(markdown).toContain(`[\`Daily\`](${at}/12db1a0a/schedules/two)`);
});

test('the Markdown of drift names what drifted, what nobody declared, and what to do about either', () => {
  expect(render(driftWith('Weekly')).replace(/<details>[\s\S]*<\/details>/, '<details>…')).toMatchInlineSnapshot(`
    "## Almanac drift: 1 resource, 2 untracked schedules

    At \`Weekly\`, operations core.

    To undo a change: \`almanac apply --refresh\`. To keep it: \`almanac drift --write\` writes it into the source files. \`almanac apply --refresh-only\` does not keep a change: it updates only the state, and the next apply undoes the change.

    ### Changed outside of Almanac

    - \`schedules.Weekly\`: \`name\` changes from \`Weekly\` to \`x\` (\`Weekly:12\`)

    <details>…

    ### Untracked

    | schedule | dashboard | owner | last run | id |
    |---|---|---|---|---|
    | \`Weekly\` | \`Weekly\` \`Weekly\` | \`Weekly\` | \`Weekly\` | \`Weekly\` |
    |  | \`12db1a0a\` |  | never | \`u2\` |

    To declare them:

    \`\`\`console
    almanac import --identifier Weekly
    almanac import --identifier 12db1a0a
    \`\`\`

    ### Findings

    - **warning** \`not-read\` in \`Weekly\`: Weekly \`Weekly\`

    The details of 3 schedules were not compared; \`almanac drift --deep\` compares them.
    "
  `);
});

test('the Markdown of drift says of many that were changed equally where they are declared', () => {
  const changes = samples.losesRecipient('kim@example.com', 5);
  const drift = changes.map(({ address, diff }) => ({ address, diff }));
  const markdown = render({ ...samples.planOf(changes, { drift }), detailsNotCompared: 0 });
  expect(markdown).toContain(
    '\n- 5 schedules: `recipients` lose `kim@example.com` (`schedules/team-0.yaml` and 4 more files)\n',
  );
  expect(markdown).toMatch(/\n- \[`schedules\.report-4`\]\(\S+\), `schedules\/team-4\.yaml:7`\n/);
});

test('the Markdown of much drift stays below its limit, omits details first, and says what is missing', () => {
  const drift = Array.from({ length: 300 }, (_, index) => ({
    address: `schedules.report-${index}`,
    diff: [
      { path: '/name', op: 'change', before: `${index} ${'a'.repeat(60)}`, after: 'b', sensitive: false },
    ] as const,
  }));
  const untracked = Array.from({ length: 500 }, (_, index) => ({ id: `id-${index}`, name: `Report ${index}` }));
  const markdown = render({ ...samples.planOf([], { drift }), detailsNotCompared: 0, untracked }, 20_000);
  expect(markdown.length).toBeLessThanOrEqual(20_000);
  expect(markdown).toContain('- `schedules.report-0`: `name`');
  expect(markdown).toContain('| `Report 0` |');
  expect(markdown).toMatch(/\*\*This is not everything\.\*\*.* \d+ of Untracked, \d+ details/);
  expect(markdown).toContain('`almanac drift --untracked -v` prints all of it.');
  const notListed = { ...samples.planOf([], { drift }), detailsNotCompared: 0 };
  const ofAll = renderDriftMarkdown(notListed, {
    limit: 20_000,
    isDeep: true,
    wording: wordingFor([{ name: 'drift' }], { env: 'staging' }),
  });
  expect(ofAll).toContain('`almanac drift --env staging --deep -v` prints all of it.');
});

describe('hostile text', () => {
  test('hostile text has no effect in the Markdown of drift', () => {
    forHostileMarkup(
      harmlessIn((text) => render(driftWith(text)), 'harm less'),
      runs(200),
    );
  });

  test('hostile text never makes the Markdown of drift too long', () => {
    fc.assert(
      fc.property(hostileMarkupText, fc.integer({ min: 8_000, max: 20_000 }), (text, limit) => {
        expect(render(driftWith(text.repeat(50)), limit).length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});

test('each reason why something was not written is shown with -v and in Markdown, and without them the first are', () => {
  const document: DriftDocument = {
    ...samples.planOf([], {}),
    detailsNotCompared: 0,
    notWritten: Array.from({ length: 9 }, (_, index) => ({
      address: `schedules.s${index}`,
      path: '/name',
      reason: 'layout',
      message: `Write it into s${index}.csv yourself.`,
    })),
  };
  const reasons = (text: string) => text.match(/s\d\.csv/g)?.length;
  const page = { theme: plainTheme, width: 80 };
  const short = renderDriftText(document, page);
  expect(short).toContain('and 4 more (-v lists all)');
  expect([short, renderDriftText(document, { ...page, showsAll: true }), render(document)].map(reasons)).toEqual([
    5, 9, 9,
  ]);
  expect(render(document)).not.toContain('-v lists all');
});

test('the Markdown of drift --write names all that was written and all that was not', () => {
  const fields = [...Array(9).keys()].map((index) => ({ address: `schedules.s${index}`, path: '/name' }));
  const places = fields.map((each, line) => ({ ...each, file: 'schedules/a.yaml', line }));
  const refused = fields.map((each) => ({ ...each, reason: 'layout' as const, message: 'Change it yourself.' }));
  for (const what of [{ written: places }, { notWritten: refused }])
    expect(render({ ...samples.planOf([], {}), detailsNotCompared: 0, ...what })).toMatch(
      /- and 4 more: `schedules\.s5: name[^`]*`, .*`schedules\.s8: name/,
    );
});
