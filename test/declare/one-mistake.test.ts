// One mistake is one finding: whatever follows from it is not reported beside it.

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { diagnosticsOf } from '../support/apply/loading.ts';
import { bucket, hook, mail, sftp, slack } from '../support/vocabulary.ts';

type Files = Readonly<Record<string, string>>;

const destinations = {
  email: mail,
  slack,
  webhook: hook,
  sftp: () => sftp({ passwordUnencrypted: undefined }),
  s3: bucket,
};
/** JSON is YAML. */
const sourceOf = (fields: JsonObject, before = '') => `${before}schedules: ${JSON.stringify({ weekly: fields })}\n`;

/** `code path` of each finding. */
async function found(files: Files): Promise<readonly string[]> {
  return (await diagnosticsOf(files)).map(({ code, path }) => `${code} ${path}`);
}

/** A letter that is missing, doubled, swapped, foreign, or of another case; another spelling. */
function typosOf(name: string): readonly string[] {
  const [first = '', second = '', third = ''] = name;
  const typos = [
    name.slice(0, -1),
    first + name,
    `${name}s`,
    first + third + second + name.slice(3),
    `${name.slice(0, 3)}x${name.slice(3)}`,
    name.toLowerCase(),
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ];
  return [...new Set(typos)].filter((typo) => typo !== name);
}

test.each(Object.entries(destinations))(
  'a misspelt field of a schedule by %s is one error, wherever the field is declared',
  async (_, declare) => {
    const fields = declare();
    for (const [name, value] of Object.entries(fields))
      for (const typo of typosOf(name)) {
        const { [name]: _, ...rest } = fields;
        const written = sourceOf({ ...rest, [typo]: value });
        expect(await found({ 'schedules/a.yaml': written })).toEqual([`unknown-field /schedules/weekly/${typo}`]);
        const defaults = `defaults: ${JSON.stringify({ schedules: { [typo]: value } })}\n`;
        const expected = [`unknown-field /defaults/schedules/${typo}`];
        expect(await found({ 'schedules/a.yaml': sourceOf(rest, defaults) })).toEqual(expected);
        const config = { 'almanac.yaml': defaults, 'schedules/a.yaml': sourceOf(rest) };
        expect(await found(config)).toEqual(expected);
      }
  },
);

test('a field of another destination beside all that are needed is an error at that field', async () => {
  const file = sourceOf(hook({ subject: 'Sales' }));
  expect(await found({ 'schedules/a.yaml': file })).toEqual(['field-not-for-destination /schedules/weekly/subject']);
});

test('other mistakes beside a misspelt field are reported with it', async () => {
  const email = mail({ subject: undefined, subjct: 'Sales', timezone: 'Berlin', nonsense: 1 });
  expect(await found({ 'schedules/a.yaml': sourceOf(email) })).toEqual([
    'invalid-timezone /schedules/weekly/timezone',
    'unknown-field /schedules/weekly/subjct',
    'unknown-field /schedules/weekly/nonsense',
  ]);
});

test('of two names that stand for the same field one is meant, and of two fields the missing one', async () => {
  const twice = sftp({ passwordUnencrypted: undefined, path: undefined, paht: '/in', pahts: '/in' });
  expect(await found({ 'schedules/a.yaml': sourceOf(twice) })).toEqual([
    'unknown-field /schedules/weekly/paht',
    'unknown-field /schedules/weekly/pahts',
  ]);
});

test('a misspelt filter or section has no consequences of its own', async () => {
  const filters = 'dashboards:\n  sales: { identifier: 12db1a0a, filterorder: [region] }\n';
  expect(await found({ 'schedules/a.yaml': filters })).toEqual(['unknown-field /dashboards/sales/filterorder']);
  const entries =
    'adopt: [{ to: schedules.weekly, id: 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7 }]\nmoved: [{ from: schedules.old, to: schedules.weekly }]\n';
  const section = sourceOf(mail()).replace('schedules:', 'schedule:') + entries;
  expect(await found({ 'schedules/a.yaml': section })).toEqual(['unknown-field /schedule']);
  expect(await found({ 'schedules/a.yaml': entries.replace('to: schedules', 'too: schedules') })).toContain(
    'unknown-field /adopt/0/too',
  );
});

test.each([
  ['state: { backend: s3, buckett: acme-state }', 'unknown-field /state/buckett'],
  [
    'environments: { staging: { state: { backend: s3, buckett: x } } }',
    'unknown-field /environments/staging/state/buckett',
  ],
  ['chekcs: { cron-never-fires: off }', 'unknown-field /chekcs'],
  ['ignore: [{ nam: x }]', 'unknown-field /ignore/0/nam'],
])('a misspelt setting is one error: %s', async (setting, expected) => {
  const files = { 'almanac.yaml': `${setting}\n`, 'schedules/a.yaml': sourceOf(mail()) };
  expect(await found(files)).toEqual([expected]);
});
