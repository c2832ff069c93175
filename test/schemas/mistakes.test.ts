// What an editor and `almanac validate` say of eighty mistakes that people make.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openEditor } from '../support/editor.ts';
import { verdicts } from '../support/verdicts.ts';

const sources = openEditor(resolve('schemas/resources.schema.json'));
const settings = openEditor(resolve('schemas/almanac.schema.json'));

type Lines = Readonly<Record<string, string | undefined>>;

const mail: Lines = {
  identifier: '12db1a0a',
  name: 'Weekly',
  schedule: '0 9 ? * MON *',
  timezone: 'UTC',
  format: 'pdf',
  destinationType: 'email',
  recipients: '[ana@example.com]',
  subject: 'Weekly',
};
const file = (section: string, fields: Lines, head = '') =>
  `${head}${section}:\n  weekly:\n${Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `    ${name}: ${value}\n`)
    .join('')}`;
const schedule = (fields: Lines, head = '') => file('schedules', { ...mail, ...fields }, head);
const to = (destinationType: string, fields: Lines) =>
  schedule({ destinationType, recipients: undefined, subject: undefined, ...fields });
const slack = (fields: Lines) => to('slack', { recipients: 'C0123456789', slackRecipientType: 'channel', ...fields });
const webhook = (fields: Lines) => to('webhook', { url: 'https://hooks.example.com/omni', ...fields });
const sftp = (fields: Lines) =>
  to('sftp', { address: 'sftp.example.com', port: '22', username: 'reports', path: '/in', ...fields });
const routine = (fields: Lines) =>
  file('routines', {
    modelId: '770e8400-e29b-41d4-a716-446655440002',
    name: 'Summary',
    prompt: 'Which regions grew?',
    schedule: '0 9 ? * MON *',
    timezone: 'UTC',
    destination: '{ type: email, recipientEmails: [ana@example.com] }',
    ...fields,
  });
const dashboard = (fields: Lines) =>
  file('dashboards', { identifier: '12db1a0a', filters: '{ region: { values: [Europe] } }', ...fields });
const given = (fields: Lines) =>
  `defaults:\n  schedules:\n${Object.entries(fields)
    .map(([name, value]) => `    ${name}: ${value}\n`)
    .join('')}`;

/** `same`: each line that validate has an error in is marked, and no other. `program`: validate alone has one. */
type Verdict = 'same' | 'program';

const inSources: readonly (readonly [what: string, Verdict, text: string])[] = [
  ['a field is misspelled', 'same', schedule({ paperformat: 'a4' })],
  ['a required field is misspelled', 'same', schedule({ subject: undefined, subjct: 'Weekly' })],
  ['the name is left out', 'same', schedule({ name: undefined })],
  ['the time zone is left out', 'same', schedule({ timezone: undefined })],
  ['nobody receives an e-mail', 'same', schedule({ recipients: undefined })],
  ['a list of recipients is empty', 'same', schedule({ recipients: '[]' })],
  ['a recipient is written without a list', 'same', schedule({ recipients: 'ana@example.com' })],
  ['a recipient has no domain', 'same', schedule({ recipients: '[ana]' })],
  ['two recipients stand in one text', 'same', schedule({ recipients: '["ana@example.com, bo@example.com"]' })],
  ['a recipient ends with a dot', 'same', schedule({ recipients: '[ana@example.com.]' })],
  ['a cron expression has five fields', 'same', schedule({ schedule: '"0 9 * * 1"' })],
  ['both days of a cron expression are given', 'same', schedule({ schedule: '"0 9 1 * MON *"' })],
  ['an hour is 24', 'same', schedule({ schedule: '0 24 ? * MON *' })],
  ['a weekday is written out', 'same', schedule({ schedule: '0 9 ? * MONDAY *' })],
  ['a zone is an offset', 'same', schedule({ timezone: '"+02:00"' })],
  ['a zone is UTC and hours', 'same', schedule({ timezone: 'UTC+1' })],
  ['a zone has a space', 'same', schedule({ timezone: 'America/New York' })],
  ['a zone is misspelled', 'program', schedule({ timezone: 'Europe/Lodnon' })],
  ['a zone is an abbreviation', 'program', schedule({ timezone: 'PST' })],
  ['a format is in capitals', 'same', schedule({ format: 'PDF' })],
  ['a format does not exist', 'same', schedule({ format: 'excel' })],
  ['a format is a reference', 'same', schedule({ format: '${var.format}' })],
  ['a destination does not exist', 'same', schedule({ destinationType: 'mail' })],
  ['a paper does not exist', 'same', schedule({ paperFormat: 'A4' })],
  ['a field of PDF stands in a table', 'same', schedule({ format: 'csv', paperFormat: 'a4' })],
  ['a field of Slack stands in an e-mail', 'same', schedule({ slackRecipientType: 'channel' })],
  ['a URL stands in an e-mail', 'same', schedule({ url: 'https://hooks.example.com' })],
  ['a truth value is yes', 'same', schedule({ paused: 'yes' })],
  ['a truth value is in quotes', 'same', schedule({ hideTitle: '"true"' })],
  ['a limit is in quotes', 'same', schedule({ format: 'csv', maxRowLimit: '"100"' })],
  ['a limit has a point', 'same', schedule({ format: 'csv', maxRowLimit: '1.5' })],
  ['a dashboard is a whole URL', 'same', schedule({ identifier: 'https://acme.omniapp.co/dashboards/12db1a0a' })],
  ['a name is a number', 'same', schedule({ name: '2026' })],
  ['a name is empty', 'same', schedule({ name: '""' })],
  ['filters are a list', 'same', schedule({ filterConfig: '[region]' })],
  ['a filter is a text', 'same', schedule({ filterConfig: '{ region: Europe }' })],
  ['a filter is a list', 'same', schedule({ filterConfig: '{ region: [Europe] }' })],
  ['a filter has no known key', 'same', schedule({ filterConfig: '{ region: { vals: [Europe] } }' })],
  ['a filter is empty', 'same', schedule({ filterConfig: '{ region: {} }' })],
  ['a filter of a dashboard has no known key', 'same', dashboard({ filters: '{ region: { value: Europe } }' })],
  ['a dashboard sets nothing', 'same', dashboard({ filters: '{}' })],
  ['a reference has no kind', 'same', schedule({ name: 'Weekly ${team}' })],
  ['a reference has an unknown kind', 'same', schedule({ name: 'Weekly ${vars.team}' })],
  ['a reference is not closed', 'same', schedule({ subject: '"Weekly ${var.team"' })],
  ['a reference has spaces', 'same', schedule({ subject: '"${ var.team }"' })],
  ['a reference of a cron expression has no kind', 'same', schedule({ schedule: '"${cron}"' })],
  ['a reference of a truth value has no kind', 'same', schedule({ paused: '"${paused}"' })],
  ['a reference of a choice has no kind', 'same', schedule({ paperFormat: '"${paper}"' })],
  [
    'a value of a filter is a reference without a kind',
    'same',
    schedule({ filterConfig: '{ a: { values: ["${x}"] } }' }),
  ],
  ['a variable does not exist', 'program', schedule({ subject: '${var.team}' })],
  ['an item is named outside a loop', 'program', schedule({ subject: '${each.team}' })],
  ['an audience does not exist', 'program', schedule({ recipients: '${audience.board}' })],
  ['a code below accept does not exist', 'same', schedule({ accept: '{ duplicate-schedul: why }' })],
  ['an acceptance has no reason', 'same', schedule({ accept: '{ duplicate-schedule: { until: "2027-03-31" } }' })],
  ['extra holds a known field', 'same', schedule({ extra: '{ paused: true }' })],
  ['what cannot be ignored is', 'same', schedule({ lifecycle: '{ ignoreChanges: [recipients] }' })],
  ['meta has an unknown field', 'same', schedule({ meta: '{ team: sales }' })],
  ['one half of an alert is missing', 'same', schedule({ conditionType: 'RESULTS_PRESENT' })],
  ['fit_page expands tables', 'same', schedule({ paperFormat: 'fit_page', expandTablesToShowAllRows: 'true' })],
  ['two Slack channels', 'same', slack({ recipients: '[C0123456789, C9876543210]' })],
  ['a Slack channel is a name', 'program', slack({ recipients: '"#sales"' })],
  ['a type of Slack recipient does not exist', 'same', slack({ slackRecipientType: 'group' })],
  ['a URL has no scheme', 'same', webhook({ url: 'hooks.example.com/omni' })],
  ['the host of a URL is no host', 'program', webhook({ url: 'https://256.0.0.1/' })],
  ['a port is too large', 'same', sftp({ port: '99999' })],
  ['a server has a port', 'same', sftp({ address: 'sftp.example.com:22' })],
  ['a routine has no destination', 'same', routine({ destination: undefined })],
  ['nobody receives a routine', 'same', routine({ destination: '{ type: email }' })],
  ['a model is a name', 'same', routine({ modelId: 'Sales model' })],
  [
    'a default of the file makes a field wrong',
    'same',
    schedule({ format: undefined, paperFormat: 'a4' }, given({ format: 'csv' })),
  ],
  [
    'a default of the file asks for a field',
    'same',
    schedule({ destinationType: undefined, subject: undefined }, given({ destinationType: 'email' })),
  ],
  ['a default of the file is misspelled', 'same', schedule({}, given({ formt: 'csv' }))],
  ['a section is misspelled', 'same', schedule({}).replace('schedules:', 'schedule:')],
  ['a key begins with a digit', 'same', schedule({}).replace('weekly:', '1st:')],
  ['an address has no section', 'same', `${schedule({})}moved: [{ from: old, to: schedules.weekly }]\n`],
];

const inConfig: readonly (readonly [what: string, Verdict, text: string])[] = [
  ['a guard of rows has no filters', 'same', 'safety:\n  internalDomains: [acme.example]\n  rows:\n    allow: a.csv\n'],
  ['a base URL is a reference', 'same', 'api:\n  baseUrl: ${env.OMNI_URL}\n'],
  ['a check does not exist', 'same', 'checks:\n  cron-too-oftn: error\n'],
  ['a field belongs to another backend', 'same', 'state:\n  backend: git\n  path: a.json\n'],
  ['the schedules are in almanac.yaml', 'same', 'schedules:\n  weekly: {}\n'],
];

test('there are eighty mistakes', () => {
  expect(inSources.length + inConfig.length).toBe(80);
});

test.each([
  ...inSources.map(([...row]) => [...row, 'schedules/a.yaml'] as const),
  ...inConfig.map(([...row]) => [...row, 'almanac.yaml'] as const),
])('an editor and validate agree where %s (%s)', async (_, verdict, text, path) => {
  const { silent, alarms, shown, found } = await verdicts(path === 'almanac.yaml' ? settings : sources, text, path);
  expect({ silent, alarms }).toEqual({ silent: [], alarms: [] });
  expect(found).not.toEqual([]);
  expect(shown.length > 0).toBe(verdict === 'same');
});
