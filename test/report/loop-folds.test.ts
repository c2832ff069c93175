// The instances of one loop in a plan: one entry for those that come, go or change in the same fields, whose length does
// not depend on how many they are.

import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/model/plan/plan.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { diffAttributes } from '../../src/plan/difference.ts';
import { renderPlanHtml } from '../../src/report/plan/plan-html.ts';
import { renderPlanMarkdown } from '../../src/report/plan/plan-markdown.ts';
import { renderPlanText } from '../../src/report/plan/plan-text.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import * as samples from '../support/report/plan-samples.ts';

const page = { theme: plainTheme, width: 80 };

const planOf = (changes: readonly Change[]) => samples.planOf(changes, { operations: 'full' });

/** The changes alone, without what comes before and after them. */
function textOf(changes: readonly Change[], showsAll = false): string {
  const text = renderPlanText(planOf(changes), { ...page, showsAll });
  return `\n${text.slice(text.indexOf('):\n') + 3, text.indexOf('\nPlan:'))}`;
}

const markdownOf = (changes: readonly Change[]) => renderPlanMarkdown(planOf(changes));

const declared = (item: number): JsonObject => ({
  ...samples.weeklySales,
  name: `Sales of ${item}`,
  recipients: [`region-${item}@example.com`],
  filterConfig: { region: { values: [`Region ${item}`] }, year: { values: ['2026'] } },
});

const instance = (change: Change, item: number, loop = 'sales'): Change => ({
  ...change,
  address: `schedules.${loop}.region-${item}`,
  file: 'schedules/sales.yaml',
  line: 3 + item,
});

const many = (count: number, make: (item: number) => Change) => Array.from({ length: count }, (_, item) => make(item));

const created = (item: number) => instance({ ...samples.createChange, after: declared(item) }, item);
const deleted = (item: number) => instance({ ...samples.deleteChange, before: declared(item) }, item);

/** Each gets a time of its own, and all the same format. */
function changed(item: number, fields: readonly ('schedule' | 'format')[], value = item): Change {
  const before = declared(item);
  const after = { ...before, schedule: `0 ${value} 5 * ? *`, format: 'png' };
  const diff = fields.map((field) => {
    const sides = { before: before[field] ?? null, after: after[field] };
    return { path: `/${field}` as const, op: 'change' as const, ...sides, sensitive: false };
  });
  return instance({ ...samples.updateChange, before, after, diff }, item);
}

const later = (item: number) => changed(item, ['schedule']);

test('of fields that change together, those that change equally are shown with their values', () => {
  const text = textOf(many(12, (item) => changed(item, ['schedule', 'format'])));
  expect(text).toMatchInlineSnapshot(`
    "
      update  12 instances of sales (schedules/sales.yaml)
          ~ format: "pdf" -> "png"
          (differs by item: schedule; -v shows the values)
            schedules.sales.region-0, Sales of 0, schedules/sales.yaml:3: schedule
            changes from "0 9 ? * MON *" to "0 0 5 * ? *"
            schedules.sales.region-1, Sales of 1, schedules/sales.yaml:4: schedule
            changes from "0 9 ? * MON *" to "0 1 5 * ? *"
            schedules.sales.region-2, Sales of 2, schedules/sales.yaml:5: schedule
            changes from "0 9 ? * MON *" to "0 2 5 * ? *"
            schedules.sales.region-3, Sales of 3, schedules/sales.yaml:6
            schedules.sales.region-4, Sales of 4, schedules/sales.yaml:7
            and 7 more (-v lists all)
    "
  `);
});

describe('how long a report is does not depend on how many instances there are', () => {
  test.each([
    ['created', created],
    ['deleted', deleted],
    ['changed to values of their own', later],
    ['changed to few values, each of which many have', (item: number) => changed(item, ['schedule'], item % 6)],
  ] as const)('%s', (_, make) => {
    const lines = (count: number) => textOf(many(count, make)).split('\n').length;
    expect(lines(300)).toBe(lines(40));
    expect(lines(300)).toBeLessThan(30);
    expect(
      markdownOf(many(300, make))
        .split('\n')
        .filter((line) => line.startsWith('| ')),
    ).toHaveLength(2);
  });
});

test('where most instances of a loop change equally, the entry says how', () => {
  const text = textOf(many(12, (item) => changed(item, ['schedule'], item === 0 ? 7 : 8)));
  expect(text).toContain('update  11 instances of sales (schedules/sales.yaml)\n      ~ schedule: ');
  expect(text).toContain('update  schedules.sales.region-0: ');
});

test('instances of two loops, and what has another reason, are entries of their own', () => {
  const changes = [
    ...many(4, later),
    ...many(4, (item) => instance(changed(item, ['schedule']), item, 'stock')),
    ...many(4, (item) => ({ ...later(item + 4), reason: 'drifted' as const })),
  ];
  const heads = textOf(changes).match(/update .*/g);
  expect(heads).toEqual([
    'update  4 instances of sales (schedules/sales.yaml)',
    'update  4 instances of stock (schedules/sales.yaml)',
    'update  4 instances of sales (schedules/sales.yaml)',
  ]);
});

test('up to three instances, and those that are blocked, are shown one by one', () => {
  expect(textOf(many(3, created)).match(/^ {2}create {2}schedules/gm)).toHaveLength(3);
  expect(textOf(many(6, (item) => ({ ...deleted(item), blocked: 'it is protected' })))).toMatch(
    /DELETE {2}\S*region-5/,
  );
});

test('with -v every instance is shown with its own values', () => {
  for (const make of [created, deleted, later]) {
    const text = textOf(many(12, make), true);
    expect(text.match(/^ {2}\w+ {2}schedules\.sales\.region-\d+: /gm)).toHaveLength(12);
  }
  expect(textOf(many(12, created), true)).toContain('region-11@example.com');
});

test('a comment and a page name every instance with the line of its item and its own values', () => {
  const comment = markdownOf(many(12, created));
  expect(comment).toContain(
    '| create | 12 instances of sales | `region-0`, `region-1`, `region-2` and 9 more: differs by item: `name`, `recipients` and `filterConfig.region.values`; to `region-0@example.com`, `region-1@example.com`, `region-2@example.com` and 9 more | `schedules/sales.yaml` |',
  );
  expect(comment).toContain('`schedules/sales.yaml:14`: `recipients` `["region-11@example.com"]`');
  const html = renderPlanHtml(planOf(many(12, later)));
  expect(html).toContain('<code>schedules.sales.region-11</code>');
  expect(html).toMatch(/<code>schedules\/sales.yaml:14<\/code>: .* to <code>0 11 5 \* \? \*<\/code>/);
  expect(html).toContain('differs by item: <code>schedule</code>');
});

/** Each has a filter of its own so far. */
function filtered(item: number, fields: JsonObject): Change {
  const before = { ...declared(item), filterConfig: { region: { values: [`Region ${item}`] } } };
  const { filterConfig: _, ...rest } = before;
  const after = { ...rest, ...fields };
  return instance({ ...samples.updateChange, before, after, diff: diffAttributes('schedule', before, after) }, item);
}

const region = (...values: readonly string[]) => ({ filterConfig: { region: { values } } });

describe('what happens to a field of every instance is said, although its values differ', () => {
  const field = 'filterConfig.region.values';

  test.each<[string, (item: number) => JsonObject, string, string]>([
    ['is removed', () => ({}), `- ${field}: (differs by item)\n      (-v`, `\`${field}\` is removed`],
    ['gets one value', () => region('Beta'), `~ ${field}: ["Beta"]\n      (-v`, `\`${field}\` becomes \`["Beta"]\``],
    ['is emptied', () => region(), `~ ${field}: []\n      (-v`, `\`${field}\` becomes \`[]\``],
    [
      'gets values of its own',
      (item) => region(`Area ${item}`),
      `(differs by item: ${field}; -v`,
      `differs by item: \`${field}\``,
    ],
    [
      'is removed from some',
      (item) => (item < 6 ? {} : region(`Area ${item}`)),
      `(differs by item: ${field}; -v`,
      `differs by item: \`${field}\``,
    ],
  ])('text, comment and page say of all instances that their filter %s', (_, fieldsOf, inText, words) => {
    const changes = many(19, (item) => filtered(item, fieldsOf(item)));
    expect(textOf(changes)).toContain(
      `\n  update  19 instances of sales (schedules/sales.yaml)\n      ${inText} shows the values)\n`,
    );
    expect(markdownOf(changes)).toContain(
      `| update | 19 instances of sales | \`region-0\`, \`region-1\`, \`region-2\` and 16 more: ${words} |`,
    );
    const html = renderPlanHtml(planOf(changes));
    expect(html).toContain(`${words.replaceAll(/`(.*?)`/g, '<code>$1</code>').replaceAll('"', '&quot;')} `);
  });

  test('a comment says of each instance what its value was', () => {
    const comment = markdownOf(many(19, (item) => filtered(item, {})));
    expect(comment).toContain(`\`schedules/sales.yaml:21\`: \`${field}\` is removed (was \`["Region 18"]\`)`);
  });

  test('a field that is removed from all is listed with what changes equally, apart from what differs by item', () => {
    const changes = many(19, (item) => filtered(item, { subject: 'Sales', name: `Report ${item}` }));
    expect(textOf(changes)).toContain(`
  update  19 instances of sales (schedules/sales.yaml)
      ~ subject:                    "Weekly sales" -> "Sales"
      - filterConfig.region.values: (differs by item)
      (differs by item: name; -v shows the values)
`);
    expect(textOf(many(19, (item) => filtered(item, { subject: 'Sales' })))).toContain(`
      - filterConfig.region.values: (differs by item)
      (-v shows the values)
`);
    expect(markdownOf(changes)).toContain(
      `\`subject\` changes from \`Weekly sales\` to \`Sales\`; \`${field}\` is removed; differs by item: \`name\` |`,
    );
  });

  test('a value that is too long for one line is shown below its field', () => {
    const long = ['x', 'y'].map((letter) => letter.repeat(50));
    expect(textOf(many(19, (item) => filtered(item, region(...long))))).toContain(`
  update  19 instances of sales (schedules/sales.yaml)
      ~ filterConfig.region.values:
          + "${long[0]}"
          + "${long[1]}"
      (-v shows the values)
`);
  });

  test('a field that each instance gets with a value of its own is added', () => {
    const changes = many(19, (item) =>
      filtered(item, { ...region(`Region ${item}`), conditionQueryMapKey: `q${item}` }),
    );
    expect(textOf(changes)).toContain('+ conditionQueryMapKey: (differs by item)\n');
    expect(markdownOf(changes)).toContain(': `conditionQueryMapKey` is added |');
  });

  test('a secret is taken for one value of all only where its text says which variable it is', () => {
    const secret = (text: string) => (item: number) => {
      const [before, after] = [{ passwordUnencrypted: `\${env.P${item}}` }, { passwordUnencrypted: text }];
      const sides = { before: before.passwordUnencrypted, after: after.passwordUnencrypted };
      const diff = [{ path: '/passwordUnencrypted', op: 'change' as const, ...sides, sensitive: true }];
      return instance({ ...samples.updateChange, before, after, diff }, item);
    };
    expect(textOf(many(19, secret('${env.P}')))).toContain('~ passwordUnencrypted: "${env.P}"\n');
    for (const text of ['(sensitive)', '(known at apply)', 'a(sensitive)'])
      expect(textOf(many(19, secret(text)))).toContain('(differs by item: passwordUnencrypted; -v shows the values)\n');
  });
});

test('equal changes of a short list say its old and its new value, without positions', () => {
  const one = filtered(1, region('Beta'));
  const changes = many(4, (item) => ({ ...one, address: `schedules.report-${item}` }));
  for (const text of [textOf(changes), textOf([one])])
    expect(text).toContain(`
      ~ filterConfig.region.values:
          - "Region 1"
          + "Beta"
`);
});
