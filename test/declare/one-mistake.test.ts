// One mistake is one finding: whatever follows from it is not reported beside it.

import { describe, expect, test } from 'vitest';
import { misspeltNames } from '../../src/declare/findings/suggest.ts';
import { diagnosticsOf } from '../support/apply/loading.ts';

type Fields = Readonly<Record<string, string>>;

const base: Fields = {
  identifier: '12db1a0a',
  name: 'Weekly',
  schedule: '0 9 ? * MON *',
  timezone: 'UTC',
  format: 'pdf',
};
const destinations: Readonly<Record<string, Fields>> = {
  email: { recipients: '[ana@example.com]', subject: 'Sales' },
  slack: { recipients: 'C0123456789', slackRecipientType: 'channel' },
  webhook: { url: 'https://hooks.example.com/x' },
  sftp: { address: 'sftp.example.com', port: '22', username: 'almanac', path: '/in' },
  s3: { bucketName: 'acme-reports', region: 'eu-west-1', roleArn: 'arn:aws:iam::123456789012:role/omni' },
};
const names = Object.keys(destinations);

const scheduleOf = (destination: string, more: Fields = {}): Fields => ({
  ...base,
  destinationType: destination,
  ...destinations[destination],
  ...more,
});
const sourceOf = (fields: Fields, before = '') =>
  `${before}schedules:\n  weekly:\n${Object.entries(fields)
    .map(([name, value]) => `    ${name}: ${value}\n`)
    .join('')}`;

/** `code path` of each finding. */
async function found(files: Fields): Promise<readonly string[]> {
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

describe.each(names)('a schedule by %s', (destination) => {
  const fields = scheduleOf(destination);

  test(`a misspelt field of a schedule by ${destination} is one error, wherever the field is declared`, async () => {
    for (const [name, value] of Object.entries(fields))
      for (const typo of typosOf(name)) {
        const { [name]: _, ...rest } = fields;
        const written = sourceOf({ ...rest, [typo]: value } as Fields);
        expect(await found({ 'schedules/a.yaml': written })).toEqual([`unknown-field /schedules/weekly/${typo}`]);
        const defaults = `defaults: { schedules: { ${typo}: ${value} } }\n`;
        const expected = [`unknown-field /defaults/schedules/${typo}`];
        expect(await found({ 'schedules/a.yaml': sourceOf(rest as Fields, defaults) })).toEqual(expected);
        const config = { 'almanac.yaml': defaults, 'schedules/a.yaml': sourceOf(rest as Fields) };
        expect(await found(config)).toEqual(expected);
      }
  });

  test(`a schedule by ${destination} that names another destination is one error, at the destination`, async () => {
    for (const other of names.filter((name) => name !== destination)) {
      const file = sourceOf({ ...fields, destinationType: other });
      const [finding, ...others] = await diagnosticsOf({ 'schedules/a.yaml': file });
      expect(others).toEqual([]);
      expect(finding).toMatchObject({ code: 'field-not-for-destination', path: '/schedules/weekly/destinationType' });
      expect(finding?.hint).toContain(`Write \`destinationType: ${destination}\``);
    }
  });
});

test('a schedule that lacks its destination under a default for another one is one error, at the schedule', async () => {
  const file = sourceOf(
    { ...base, ...destinations['email'] },
    'defaults: { schedules: { destinationType: webhook } }\n',
  );
  expect(await found({ 'schedules/a.yaml': file })).toEqual(['field-not-for-destination /schedules/weekly']);
});

test('a field of another destination beside all that are needed is an error at that field', async () => {
  const file = sourceOf(scheduleOf('webhook', { subject: 'Sales' }));
  expect(await found({ 'schedules/a.yaml': file })).toEqual(['field-not-for-destination /schedules/weekly/subject']);
});

test('other mistakes beside a misspelt field and a wrong destination are reported with them', async () => {
  const { subject: _, ...email } = scheduleOf('email', { subjct: 'Sales', timezone: 'Berlin', nonsense: '1' });
  expect(await found({ 'schedules/a.yaml': sourceOf({ ...email, destinationType: 's3' } as Fields) })).toEqual([
    'invalid-timezone /schedules/weekly/timezone',
    'field-not-for-destination /schedules/weekly/destinationType',
    'unknown-field /schedules/weekly/subjct',
    'unknown-field /schedules/weekly/nonsense',
  ]);
});

test('of two names that stand for the same field one is meant, and of two fields the missing one', async () => {
  const { path: _, ...sftp } = scheduleOf('sftp', { paht: '/in', pahts: '/in' });
  expect(await found({ 'schedules/a.yaml': sourceOf(sftp as Fields) })).toEqual([
    'unknown-field /schedules/weekly/paht',
    'unknown-field /schedules/weekly/pahts',
  ]);
});

test('a misspelt option, secret, filter or section has no consequences of its own', async () => {
  const email = sourceOf(scheduleOf('email', { format: 'csv', overideRowLimit: 'true', maxRowLimit: '5' }));
  expect(await found({ 'schedules/a.yaml': email })).toEqual(['unknown-field /schedules/weekly/overideRowLimit']);
  const job = (more: string) =>
    `aiJobs:\n  q3: { modelId: 770e8400-e29b-41d4-a716-446655440002, prompt: Sum up., ${more} }\n`;
  const misspelt = job('webhookUrl: "https://hooks.example.com/x", webhookSigningSecet: "${env.SIGNING}"');
  expect(
    (await found({ 'schedules/a.yaml': misspelt })).filter((each) => !each.startsWith('missing-variable')),
  ).toEqual(['unknown-field /aiJobs/q3/webhookSigningSecet']);
  const filters = 'dashboards:\n  sales: { identifier: 12db1a0a, filterorder: [region] }\n';
  expect(await found({ 'schedules/a.yaml': filters })).toEqual(['unknown-field /dashboards/sales/filterorder']);
  const entries =
    'adopt: [{ to: schedules.weekly, id: 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7 }]\nmoved: [{ from: schedules.old, to: schedules.weekly }]\n';
  const section = sourceOf(scheduleOf('email')).replace('schedules:', 'schedule:') + entries;
  expect(await found({ 'schedules/a.yaml': section })).toEqual(['unknown-field /schedule']);
  expect(await found({ 'schedules/a.yaml': entries.replace('to: schedules', 'too: schedules') })).toContain(
    'unknown-field /adopt/0/too',
  );
});

test.each([
  ['state: { backend: s3, buckett: acme-state }', 'unknown-field /state/buckett'],
  ['state: { bakend: s3, bucket: acme-state }', 'unknown-field /state/bakend'],
  [
    'environments: { staging: { state: { backend: s3, buckett: x } } }',
    'unknown-field /environments/staging/state/buckett',
  ],
  ['chekcs: { cron-never-fires: off }', 'unknown-field /chekcs'],
  ['ignore: [{ nam: x }]', 'unknown-field /ignore/0/nam'],
])('a misspelt setting is one error: %s', async (setting, expected) => {
  const files = { 'almanac.yaml': `${setting}\n`, 'schedules/a.yaml': sourceOf(scheduleOf('email')) };
  expect(await found(files)).toEqual([expected]);
});

test('a misspelt name stands for a field that is missing rather than for another one that is as near', () => {
  const unknown = { pointer: '', name: 'pert', names: ['port', 'part'], missing: ['part'] };
  expect(misspeltNames({}, [unknown])).toEqual([{ pointer: '', name: 'pert', meant: 'part' }]);
});

test('of two misspelt names that are near to one field only the first stands for it', () => {
  const unknown = ['subjct', 'subjet'].map((name) => ({ pointer: '', name, names: ['subject'], missing: ['subject'] }));
  expect(misspeltNames({}, unknown)).toEqual([{ pointer: '', name: 'subjct', meant: 'subject' }]);
});
