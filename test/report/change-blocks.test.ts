// Many equal changes in the text of a plan: how long it is, and what it says of them.

import { describe, expect, test } from 'vitest';
import type { Change, FieldDiff, PlanDocument } from '../../src/model/plan/plan.ts';
import { renderPlanMarkdown } from '../../src/report/plan/plan-markdown.ts';
import { renderPlanText } from '../../src/report/plan/plan-text.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import * as samples from '../support/report/plan-samples.ts';

function textOf(plan: PlanDocument, showsAll = false): string {
  return renderPlanText(plan, { theme: plainTheme, width: 80, showsAll });
}

/** The changes alone, without what comes before and after them. */
function changesOf(changes: readonly Change[], rest: Partial<PlanDocument> & { showsAll?: boolean } = {}): string {
  const { showsAll = false, ...document } = rest;
  const text = textOf(samples.planOf(changes, { operations: 'full', ...document }), showsAll);
  return `\n${text.slice(text.indexOf('):\n') + 3, text.indexOf('\nPlan:'))}`;
}

function updated(diff: readonly FieldDiff[], rest: Partial<Change> = {}): Change {
  const before = { ...samples.weeklySales, schedule: '0 9 ? * MON *' };
  const fields = diff.map(({ path, after }) => [path.slice(1), after ?? null] as const);
  return { ...samples.updateChange, before, after: { ...before, ...Object.fromEntries(fields) }, diff, ...rest };
}

function changed(field: string, before: string | boolean, after: string | boolean): FieldDiff {
  return { path: `/${field}`, op: 'change', before, after, sensitive: false };
}

const timezone = updated([changed('timezone', 'Europe/London', 'Europe/Paris')]);
const cronAndFormat = updated([changed('schedule', '0 9 ? * MON *', '0 8 ? * MON *'), changed('format', 'pdf', 'png')]);

test('equal changes are said once, with the names of five and a count of the others', () => {
  expect(changesOf(samples.losesRecipient('kim@example.com', 90))).toMatchInlineSnapshot(`
    "
      update  90 schedules (schedules/team-0.yaml and 11 more files)
          - recipients: "kim@example.com"
            schedules.report-0, Report 0, schedules/team-0.yaml:3
            schedules.report-1, Report 1, schedules/team-1.yaml:4
            schedules.report-2, Report 2, schedules/team-2.yaml:5
            schedules.report-3, Report 3, schedules/team-3.yaml:6
            schedules.report-4, Report 4, schedules/team-4.yaml:7
            and 85 more (-v lists all)
    "
  `);
});

test('text and Markdown of a plan say what is sent of a change that is left, and why the rest is not', () => {
  const left = 'This change would undo what somebody changed.';
  const change = updated([changed('timezone', 'Europe/London', 'Europe/Paris')], {
    left,
    takes: 'paused',
  });
  const words = 'Sent in part: paused; the rest is left, because this change would undo';
  const plan = samples.planOf([change], { operations: 'full' });
  for (const text of [textOf(plan), renderPlanMarkdown(plan)]) {
    const said = text.replaceAll('\\', '').replace(/[\s>]+/g, ' ');
    expect(said).toContain(words);
    expect(said).not.toContain('Not sent');
  }
});

test('a sixth name takes no more room than a count of one, so it is shown', () => {
  const text = changesOf(samples.losesRecipient('kim@example.com', 6));
  expect(text).toContain('  schedules.report-5, Report 5, schedules/team-5.yaml:8\n');
  expect(text).not.toContain('-v lists all');
});

test('a new time is said in words, with the runs before and after', () => {
  expect(changesOf(samples.numbered(timezone, 90))).toMatchInlineSnapshot(`
    "
      update  90 schedules (schedules/sales.yaml)
          ~ timezone: "Europe/London" -> "Europe/Paris"
              # before: next 2026-11-23 09:00 Europe/London
              # after:  next 2026-11-23 09:00 Europe/Paris
            schedules.weekly-sales-0, Weekly sales report, schedules/sales.yaml:3
            schedules.weekly-sales-1, Weekly sales report, schedules/sales.yaml:4
            schedules.weekly-sales-2, Weekly sales report, schedules/sales.yaml:5
            schedules.weekly-sales-3, Weekly sales report, schedules/sales.yaml:6
            schedules.weekly-sales-4, Weekly sales report, schedules/sales.yaml:7
            and 85 more (-v lists all)
    "
  `);
});

test('equal replacements say that the old ones keep running, and name their ids', () => {
  const replaced = updated(timezone.diff, { action: 'replace', reason: 'cannot-update' });
  const text = changesOf(samples.numbered(replaced, 90), { operations: 'core' }).replaceAll(/\n */g, ' ');
  expect(text).toContain('REPLACE 90 schedules (schedules/sales.yaml) !'.replace(' 90', '  90'));
  expect(text).toContain('~ timezone: "Europe/London" -> "Europe/Paris"');
  expect(text).toContain(
    '! For each: Operations core cannot update a schedule, so a new one is created. The old schedule keeps running in Omni as an orphan.',
  );
  expect(
    text.match(/schedules\.\S+, Weekly sales report, the old id is 2abba91d-\S+ schedules\/sales\.yaml:\d/g),
  ).toHaveLength(5);
});

test('equal changes that undo drift say so', () => {
  expect(changesOf(samples.numbered({ ...timezone, reason: 'drifted' }, 90))).toContain(
    '  update  90 schedules (schedules/sales.yaml)\n      Each because it was changed outside of Almanac.\n',
  );
});

test.each([
  ['that could be taken for our words is in quotes', 'name', 'a to b', 'x, y', 'from "a to b" to "x, y"'],
  [
    'that cannot be seen is spelled out',
    'subject',
    'Sales',
    'Sa\u001b[1mles\u200b',
    'from Sales to Sa\\u001b[1mles\\u200b',
  ],
  ['that reads like a truth value is in quotes', 'paused', 'true', true, 'from "true" to true'],
] as const)('a value %s', (_, field, before, after, words) => {
  const diff = [changed(field, before, after), changed('format', 'pdf', 'png')];
  // Of more than ten, each is one line.
  const differing = samples.losesRecipient('kim@example.com', 11).map((change, index) => ({
    ...updated(diff),
    address: change.address,
    diff: [...diff, changed('textBody', 'a', `${index}`)],
  }));
  const text = changesOf(differing).replaceAll(/\n {12}(?=\S)/g, ' ');
  expect(text.split(`${field} changes ${words}`)).toHaveLength(12);
});

test('a long value is listed below instead of being left out', () => {
  const long = 'x'.repeat(61);
  const text = changesOf(samples.numbered(updated([changed('subject', 'Sales', long)]), 4));
  expect(text).toContain(long);
});

describe('moves and adoptions', () => {
  test('up to ten adoptions take a line each', () => {
    expect(
      changesOf(samples.numbered(samples.adoptChange, 10)).match(/^ {2}adopt {2}schedules\.to-slack-\d/gm),
    ).toHaveLength(10);
  });

  test('more than ten moves or adoptions are one sentence with the names of three', () => {
    const changes = [...samples.numbered(samples.moveChange, 11), ...samples.numbered(samples.adoptChange, 300)];
    expect(changesOf(changes)).toMatchInlineSnapshot(`
      "
        adopt  300 schedules  to-slack-0, to-slack-1, to-slack-2 and 297 more
                 (schedules/orders.yaml)
        move   11 schedules   daily-orders-0, daily-orders-1, daily-orders-2 and 8
                 more: a resource of equal content is no longer declared
                 (schedules/orders.yaml)
        (-v shows the details)
      "
    `);
  });

  test('a comment says once what all adoptions declare, and of each what is its own', () => {
    const changes = samples.numbered(samples.adoptChange, 30).map(
      (change, index): Change => ({
        ...change,
        after: { ...change.after, name: `Report ${index}`, recipients: `C${index}` },
      }),
    );
    const comment = renderPlanMarkdown(samples.planOf(changes, { operations: 'full' }));
    expect(comment).toContain('\n        identifier: "12db1a0a"\n        schedule:   "0 9 ? * MON *"');
    expect(comment.match(/^- `schedules\.to-slack-\d+`, \[`Report \d+`\]\(\S+\): `recipients` `C\d+`$/gm)).toHaveLength(
      30,
    );
  });

  test('an adoption that is blocked says why', () => {
    const [first, ...others] = samples.numbered(samples.adoptChange, 12);
    if (first === undefined) throw new Error('no change');
    const text = changesOf([{ ...first, blocked: 'It is gone.' }, ...others]);
    expect(text).toContain('! Blocked: It is gone.');
    expect(text).toContain('adopt  11 schedules');
  });
});

describe('what goes to the sink of the environment from now on', () => {
  const sunk = (field: string, before: (item: number) => string, after: string, sensitive = false) =>
    Array.from({ length: 5 }, (_, item): Change => {
      const is = { ...samples.weeklySales, [field]: after };
      const diff = [{ path: `/${field}`, op: 'change' as const, before: before(item), after, sensitive }];
      const id = `${samples.oldId.slice(0, -1)}${item}`;
      return { ...samples.updateChange, address: `schedules.s${item}`, reason: 'sink', id, after: is, diff };
    });

  test('many updates that bring the sink say where they deliver, also where it was a secret before', () => {
    const changes = sunk('url', (item) => `https://\${env.HOST_${item}}/in`, 'https://sink.example.com/in', true);
    expect(changesOf(changes)).toMatchInlineSnapshot(`
      "
        update  5 schedules (schedules/sales.yaml:12)
            Each because the sink of this environment receives it.
            ~ url: "https://sink.example.com/in"
            (5 recipients are replaced)
              schedules.s0, Weekly sales report, schedules/sales.yaml:12
              schedules.s1, Weekly sales report, schedules/sales.yaml:12
              schedules.s2, Weekly sales report, schedules/sales.yaml:12
              schedules.s3, Weekly sales report, schedules/sales.yaml:12
              schedules.s4, Weekly sales report, schedules/sales.yaml:12
      "
    `);
  });

  test('many replacements that bring the sink say that the old ones keep running', () => {
    const changes = sunk('recipients', (item) => `a${item}@example.com`, 'qa@example.com').map(
      (change): Change => ({ ...change, action: 'replace' }),
    );
    const text = changesOf(changes, { operations: 'core' }).replaceAll(/\n */g, ' ');
    expect(text).toContain('! For each: The old schedule keeps running in Omni as an orphan.');
    expect(text).toContain('schedules.s0, Weekly sales report, the old id is 2abba91d-');
  });
});

describe('deletes', () => {
  test('of up to ten deletes everything that they delete is shown', () => {
    expect(changesOf(samples.numbered(samples.deleteChange, 10)).match(/- identifier:/g)).toHaveLength(10);
  });

  test('each of many deletes has a line with its name', () => {
    const text = changesOf(samples.numbered(samples.deleteChange, 90));
    expect(text.match(/^ {2}DELETE {2}schedules\.legacy-\d+ +Legacy: it is no longer declared$/gm)).toHaveLength(90);
    expect(text).not.toContain('identifier');
  });

  test('each of many schedules that keep running as orphans has a line with its id', () => {
    const text = changesOf(samples.numbered(samples.forgetChange, 90), { operations: 'core' });
    expect(text.match(/! The schedule keeps running in\s+Omni\s+\(2abba91d-\S+\) as\s+an\s+orphan\./g)).toHaveLength(
      90,
    );
  });
});

describe('the number of lines', () => {
  const linesOf = (changes: readonly Change[], rest: Partial<PlanDocument> = {}) =>
    textOf(samples.planOf(changes, { operations: 'full', ...rest })).split('\n').length;

  test.each([
    ['recipients', (count: number) => samples.losesRecipient('kim@example.com', count), 'full'],
    ['a scalar', (count: number) => samples.numbered(timezone, count), 'full'],
    ['several fields', (count: number) => samples.numbered(cronAndFormat, count), 'full'],
    ['paused', (count: number) => samples.numbered(updated([changed('paused', false, true)]), count), 'full'],
    [
      'replacements',
      (count: number) =>
        samples.numbered(updated(timezone.diff, { action: 'replace', reason: 'cannot-update' }), count),
      'core',
    ],
  ] as const)('the lines of a plan do not depend on how many schedules change equally: %s', (_, many, operations) => {
    const some = linesOf(many(7), { operations });
    expect(linesOf(many(90), { operations })).toBe(some);
    expect(linesOf(many(3000), { operations })).toBe(some);
  });
});

test('resources that drifted equally are said once, and with -v all named', () => {
  const drift = samples.numbered(timezone, 40).map(({ address, diff }) => ({ address, diff }));
  const plan = samples.planOf([], { drift });
  expect(textOf(plan).slice(0, textOf(plan).indexOf('No changes'))).toMatchInlineSnapshot(`
    "Changed outside of Almanac
      40 schedules
          ~ timezone: "Europe/London" -> "Europe/Paris"
            schedules.weekly-sales-0
            schedules.weekly-sales-1
            schedules.weekly-sales-2
            schedules.weekly-sales-3
            schedules.weekly-sales-4
            and 35 more (-v lists all)

    "
  `);
  for (const { address } of drift) expect(textOf(plan, true)).toContain(`    ${address}\n`);
  const gone = drift.map(({ address }) => ({
    address,
    diff: [{ path: '', op: 'remove', before: samples.weeklySales, sensitive: false }] as const,
  }));
  expect(textOf(samples.planOf([], { drift: gone }))).toContain(
    '  40 schedules: gone from Omni\n        schedules.weekly-sales-0\n',
  );
});

describe('what Omni has as declared already', () => {
  const agreed = (count: number) =>
    samples.numbered({ ...samples.updateChange, reason: 'as-declared', diff: [], requests: 0 }, count);

  test('updates of the state alone are one line, however many there are', () => {
    const text = textOf(samples.planOf(agreed(8), { operations: 'full' }));
    expect(changesOf(agreed(8))).toMatchInlineSnapshot(`
      "
        update  8 schedules  weekly-sales-0, weekly-sales-1, weekly-sales-2 and 5
                  more: Omni has it as declared already (schedules/sales.yaml)
        (-v shows the details)
      "
    `);
    expect(changesOf(agreed(1))).toMatchInlineSnapshot(`
      "
        update  schedules.weekly-sales-0  Weekly sales report: Omni has it as
                  declared already (schedules/sales.yaml:3)
        (-v shows the details)
      "
    `);
    expect(changesOf(agreed(300)).split('\n')).toHaveLength(changesOf(agreed(90)).split('\n').length);
    expect(text).toContain('Plan: 8 to update in the state.\nNo requests.');
  });

  test('updates that send something are counted apart', () => {
    const text = textOf(samples.planOf([...agreed(8), ...samples.numbered(timezone, 2)], { operations: 'full' }));
    expect(text).toContain('Plan: 2 to update, 8 to update in the state.');
  });

  test('a comment names three of them and says why nothing is sent', () => {
    const row = renderPlanMarkdown(samples.planOf(agreed(8), { operations: 'full' }));
    expect(row).toContain('## Almanac plan: 8 to update in the state');
    expect(row).toMatch(/\| update \| 8 schedules \| .* and 5 more: Omni has it as declared already \|/);
  });
});
