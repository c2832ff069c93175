// What is approved must have been shown: every value of every instance of a loop, what is adopted, and every danger, in
// the comment, in the text that a job prints, and on the page.

import { expect, test } from 'vitest';
import type { Workspace } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const formats = ['markdown', 'text', 'html'] as const;

/** The reports that a job shows, without what stands for a character that has a meaning in them. */
async function reportsOf({ run, read }: Workspace): Promise<Readonly<Record<string, string>>> {
  const ran = await run('plan', '-v', ...formats.map((format) => `--report=${format}=plan.${format}`));
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  const reports = formats.map((format) => [format, plainly(read(`plan.${format}`))] as const);
  return Object.fromEntries([...reports, ['log', plainly(ran.stdout)]]);
}

function plainly(report: string): string {
  return report
    .replaceAll('&#8203;', '')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
}

const base = {
  identifier: '12db1a0a',
  name: 'Sales of ${each.code}',
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['${each.mail}'],
  subject: 'Sales',
};

type Row = readonly [code: string, mail: string, own: string];

const loop = (rows: readonly Row[], fields: object = {}) => ({
  'schedules/customers.csv': ['code,mail,own', ...rows.map((row) => row.map((cell) => `"${cell}"`).join(',')), ''].join(
    '\n',
  ),
  'schedules/customers.yaml': {
    schedules: { customer: { forEachRow: { file: 'customers.csv', key: 'code' }, ...base, ...fields } },
  },
});

const customers = (count: number) =>
  Array.from({ length: count }, (_, index): Row => [`c${index}`, `${index}@example.com`, `own.${index}@example.com`]);

/** One gets what nobody would agree to. */
const swapped = (count: number, own: string) =>
  customers(count).map((row, index): Row => (index === 2 ? [row[0], row[1], own] : row));

const filter = (name: string) => ({ filterConfig: { [name]: { values: ['${each.own}'] } } });
const people = { recipients: ['${each.mail}', 'deputy.of.${each.mail}', '${each.own}'] };
const long = 'A sentence that is longer than sixty characters, and which ends in another way for one: ';
const text = { textBody: `${'A line.\n'.repeat(70)}${long}\${each.own}\nThe team\n` };
const fields = {
  filterConfig: Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, { values: ['${each.code}', 'x', 'y', 'z', '${each.own}'] }]),
  ),
};

test.each<[string, number, object | undefined, object]>([
  ['a renamed filter', 4, filter('order_status'), filter('status')],
  [
    'the value of a filter',
    4,
    filter('order_status'),
    { filterConfig: { order_status: { values: ['x', 'y', 'z', '${each.own}'] } } },
  ],
  ['the third recipient of a new instance', 4, undefined, people],
  ['the third recipient of a changed instance', 4, {}, people],
  ['the end of a long name', 4, undefined, { name: `${long.repeat(3)}\${each.own}` }],
  ['the end of a long subject', 4, {}, { subject: `${long}\${each.own}` }],
  ['a late line of a long text', 4, undefined, text],
  ['a late line of a text that becomes long', 4, {}, text],
  ['the last of many filters', 4, {}, fields],
  ['one of three hundred that change', 300, filter('order_status'), filter('status')],
  ['one of three hundred that are new', 300, undefined, people],
])('every report shows %s', async (_, count, before, after) => {
  const value = after === people ? 'mallory@partner.example' : 'RIVAL INC';
  const stage = await openWorld();
  if (before !== undefined) {
    stage.write(loop(customers(count), before));
    await stage.apply();
  }
  stage.write(loop(swapped(count, value), after));
  for (const [format, report] of Object.entries(await reportsOf(stage))) {
    const [own = ''] = (report.split(/customer\.c2(?!\w)/).at(-1) ?? '').split(/customer\.c3(?!\w)/);
    expect(own, format).toContain(value);
  }
});

test('every report shows what each of more than ten adopted schedules declares', async () => {
  const schedules = Array.from({ length: 11 }, (_, index) => [
    `report-${index}`,
    { ...base, name: `Report ${index}`, recipients: [index === 7 ? 'mallory@partner.example' : 'ana@example.com'] },
  ]);
  const id = (index: number) => `0d2f4c5b-1111-4222-8333-4444555566${10 + index}`;
  const stage = await openWorld({
    schedules: Object.fromEntries(schedules),
    adopt: schedules.map(([key], index) => ({ to: `schedules.${key}`, id: id(index) })),
  });
  for (const [format, report] of Object.entries(await reportsOf(stage))) {
    const details = report.slice(report.lastIndexOf('schedules.report-7'));
    expect(details, format).toContain('mallory@partner.example');
  }
});

test('a danger stays in the comment, whatever the names in it are made of', async () => {
  const named = (key: number) => [
    `gone-${key}`,
    { ...base, name: `${key}${'@'.repeat(160)}`, recipients: ['a@example.com'] },
  ];
  const stage = await openWorld({
    schedules: Object.fromEntries([...Array(10).keys()].map(named)),
  });
  await stage.apply();
  stage.write({ 'schedules/all.yaml': { schedules: {} } });
  const { stdout } = await stage.run('plan', '--allow', 'empty', '--format', 'markdown');
  expect(stdout).toContain('> - **10 resources are deleted**');
  expect(stdout).not.toMatch(/\*\*\d+ (?:danger|time)/);
  // Code: as prose, each would be a reference, which a cut would break.
  expect(stdout).toContain(`(schedule \`0${'@'.repeat(160)}\`)`);
});

test('a name with a backtick is one code span in a danger', async () => {
  const stage = await openWorld({
    schedules: { gone: { ...base, name: 'Sales`, `of us', recipients: ['a@example.com'] } },
  });
  await stage.apply();
  stage.write({ 'schedules/all.yaml': { schedules: {} } });
  const { stdout } = await stage.run('plan', '--allow', 'empty', '--format', 'markdown');
  expect(stdout).toContain('(schedule <code>Sales&#96;, &#96;of us</code>)');
  expect((await stage.run('plan', '--allow', 'empty')).stdout).toContain('(schedule ``Sales`, `of us``)');
});
