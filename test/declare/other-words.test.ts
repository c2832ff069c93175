// The words of other tools, each in a right declaration: what decides a delivery is never told to be removed, and nothing that is
// missing is hidden.

import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { wordsTable } from '../../scripts/docs/words-table.ts';
import { foldedWord, wordRows } from '../../src/declare/words/other-words.ts';
import { configFields } from '../../src/model/fields/config-fields.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { diagnosticsOf } from '../support/apply/loading.ts';
import { pairsOf } from '../support/runs/runs.ts';
import { mail } from '../support/vocabulary.ts';

const own: ReadonlySet<string> = new Set(Object.keys(fieldsOf.schedule));
/** What a schedule may have: the rows for other sections are left out. */
const rows = wordRows.filter(({ field, among }) => own.has(field ?? among));
const spellings = [...new Set(rows.flatMap(({ words }) => words))].filter((word) => !own.has(word));

/** What is said of a schedule with these fields, in this part of the workspace. */
async function said(fields: JsonObject, where: 'declaration' | 'defaults' | 'almanac.yaml' = 'declaration') {
  const right = mail({});
  const defaults = { schedules: fields };
  const files = {
    declaration: { 'schedules/a.yaml': JSON.stringify({ schedules: { a: { ...right, ...fields } } }) },
    defaults: { 'schedules/a.yaml': JSON.stringify({ defaults, schedules: { a: right } }) },
    'almanac.yaml': {
      'almanac.yaml': JSON.stringify({ defaults }),
      'schedules/a.yaml': JSON.stringify({ schedules: { a: right } }),
    },
  };
  return diagnosticsOf(files[where]);
}
const errorsOf = async (...of: Parameters<typeof said>) =>
  (await said(...of)).filter(({ severity }) => severity === 'error');

test('advice to run almanac trigger never pauses the schedule, because Omni delivers nothing that is paused', () => {
  const advice = wordRows.flatMap(({ says, values }) => [says, ...values.map(([, each]) => each)]);
  const triggering = advice.filter((each) => each.includes('almanac trigger'));
  expect(triggering).not.toEqual([]);
  expect(triggering.filter((each) => each.includes('paused: true'))).toEqual([]);
});

test('the words that decide who, when, whether or which rows are never answered with "Remove it", or near by letters', async () => {
  const decisive: readonly (readonly [words: string, has: string])[] = [
    ['run_as_recipient runAsRecipient run_as', 'fanOut'],
    ['executor owner_id creator_id created_by createdBy user_id', '`owner`'],
    ['require_results skip_if_empty send_if_view_empty sendIfViewEmpty noDataState', 'RESULTS_PRESENT'],
    ['require_no_results', 'RESULTS_MISSING'],
    [
      'require_change notificationFrequency rearm alert_first_only send_once grace_period repeat_interval',
      'RESULTS_CHANGED',
    ],
    [
      'send_condition alert_condition alert_above_goal threshold thresholds comparison_type validator_type validator_config_json op',
      'filter of the watched tile',
    ],
    ['sql', 'conditionQueryMapKey'],
    [
      'isEnabled is_enabled is_active is_disabled muted suspended archived deleted draft state status snoozed_until',
      'paused: true',
    ],
    [
      'frequency interval interval_seconds intervalFrequency intervalAmount custom_interval calculation_interval byweekday bysetpos',
      '`schedule',
    ],
    [
      'rrule schedule_type schedule_hour schedule_frame dayOfMonth day_of_week days weekdays time times last_day_of_month',
      '`schedule',
    ],
    ['workdaysOnly workdays_only skip_weekend', 'MON-FRI'],
    ['start_date startDate start_time', 'paused: true'],
    ['until until_date end_date endDate end_time count', 'year'],
    ['datagroup run_once', 'almanac trigger'],
    ['group_wait mute_timings active_timings', '`schedule`'],
    ['localTimeZoneId report_timezone', '`timezone`'],
    ['cronSpec cron_schedule', '`schedule`'],
    [
      'targets target target_value channels handlers scheduled_plan_destination subscribed_users subscribers subscriptions contact_point',
      '`recipients',
    ],
    ['ccTarget bccTarget', 'Add the address to `recipients`'],
    ['target_type channel_type googleChatWebhook', '`destinationType'],
    ['reply_to replyTo', 'Omni has no address'],
    ['permissions_group_id', '`userGroups`'],
    [
      'filters_string filter_string dashboard_filters parameters nativeFilters report_variables variables applied_dashboard_filters',
      '`filterConfig',
    ],
    ['filter urlParams time_range timeRange date_range options', '`filterConfig`'],
    ['send_all_results all_results', 'overrideRowLimit: true'],
    ['selectedTabs tab_ids activeTabs', 'Omni cannot choose tabs'],
    ['force_screenshot', 'Omni has no'],
    ['long_tables', 'expandTablesToShowAllRows'],
    ['chart look_id query_id cards', 'queryIdentifierMapKey'],
    ['formatted', 'enableFormatting'],
    ['type', '`conditionType`'],
  ];
  const wrong: string[] = [];
  for (const [words, has] of decisive)
    for (const word of words.split(' ')) {
      const [only, ...others] = await errorsOf({ [word]: 'x' });
      const isRight = others.length === 0 && only?.hint?.includes(has) && !/Remove it/.test(only.hint);
      if (!isRight) wrong.push(`${word}: ${only?.hint}`);
    }
  expect(wrong).toEqual([]);
});

const places = ['declaration', 'defaults', 'almanac.yaml'] as const;
test.each(places)(
  'every word of the table is one error in a %s, with an advice in which nothing is removed',
  async (where) => {
    const wrong: string[] = [];
    for (const [word] of pairsOf(spellings, places).filter(([, place]) => place === where)) {
      const found = await errorsOf({ [word]: 'x' }, where);
      const [only, ...others] = found;
      const isRight = others.length === 0 && only?.code === 'unknown-field' && only.hint !== undefined;
      if (!isRight || /Remove it|look up its name/.test(only.hint ?? '')) wrong.push(`${word}: ${only?.hint}`);
    }
    expect(wrong).toEqual([]);
  },
);

test('a word in another spelling, or with the name of the object before it, means the same', async () => {
  const snake = (word: string) => word.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const camel = (word: string) => word.replaceAll(/[-_](.)/g, (_, letter: string) => letter.toUpperCase());
  const hintFor = async (word: string) => (await errorsOf({ [word]: 'x' })).map(({ hint }) => hint);
  for (const word of spellings.filter((_, at) => at % 7 === 0))
    for (const other of [snake(word), camel(word), word.toUpperCase(), `plan.${word}`])
      if (!own.has(other)) expect(await hintFor(other), other).toEqual(await hintFor(word));
});

test('a required field that is missing is said beside every word, but for a word that is its name elsewhere', async () => {
  const required = ['identifier', 'name', 'schedule', 'timezone', 'format', 'destinationType', 'recipients', 'subject'];
  const wrong: string[] = [];
  for (const [word, field] of pairsOf(spellings, required)) {
    const found = await errorsOf({ [word]: 'x', [field]: undefined } as unknown as JsonObject);
    const isName = found.some(({ hint }) => hint === `Did you mean \`${field}\`?`);
    const isSaid = found.some(({ message }) => message.includes(`\`${field}\``) && !message.includes('no field'));
    // Without a destination nobody knows which fields it needs.
    if (!isName && !isSaid && !(field === 'recipients' && found.length > 1)) wrong.push(`${word} without ${field}`);
  }
  expect(wrong).toEqual([]);
});

const byValue: readonly (readonly [field: string, value: Json, has: string, not?: string])[] = [
  ['send_condition', 'has_result', 'RESULTS_PRESENT', 'no limit'],
  ['send_condition', 'goal_above', 'filter of the watched tile'],
  ['noDataState', 'OK', 'RESULTS_PRESENT'],
  ['noDataState', 'Alerting', 'RESULTS_MISSING'],
  ['type', 'Alert', 'RESULTS_PRESENT'],
  ['type', 'email', 'destinationType: email'],
  ['enabled', false, 'Write `paused: true`'],
  ['enabled', true, 'let the schedule run', 'Write `paused: true`'],
  ['isEnabled', 'no', 'Write `paused: true`'],
  ['suspended', true, 'Write `paused: true`'],
  ['suspended', false, 'let the schedule run'],
  ['muted', true, 'Write `paused: true`'],
  ['is_disabled', false, 'let the schedule run'],
  ['state', 'paused', 'Write `paused: true`'],
  ['status', 'PAUSED', 'Write `paused: true`'],
  ['state', 'scheduled', 'let the schedule run'],
  ['frequency', 'never', 'Write `paused: true`'],
  ['frequency', 'Weekly', '0 9 ? * MON *'],
  ['frequency', 'MONTHLY', '0 9 1 * ? *'],
  ['frequency', 'once', 'almanac trigger'],
  ['schedule_hour', 9, '0 9 * * ? *'],
  ['byweekday', ['monday', 'friday'], 'MON,FRI'],
  ['weekdays', 'monday:friday', 'MON-FRI'],
  ['days_of_month', '-1', '0 9 L * ? *'],
  ['time', '07:30', '30 7 * * ? *'],
  ['workdaysOnly', false, '`schedule` has the days'],
  ['localTimeZoneId', 'GMT Standard Time', 'timezone: Europe/London'],
  ['send_if_view_empty', true, 'every run'],
  ['send_if_view_empty', false, 'RESULTS_PRESENT'],
  ['require_results', false, 'every run'],
  ['limit', 'all', 'overrideRowLimit: true'],
  ['targets', [{ recipient: 'bo@example.com' }, { recipient: 'cy@example.com' }], '[bo@example.com, cy@example.com]'],
  ['scheduled_plan_destination', [{ type: 'email', address: 'bo@example.com' }], '[bo@example.com]'],
  ['recipients', 'bo@example.com,cy@example.com', 'recipients: [bo@example.com, cy@example.com]'],
  ['recipients', [{ type: 'Email', recipient_config_json: { target: 'bo@example.com' } }], '[bo@example.com]'],
  ['address', 'bo@example.com', 'recipients: [bo@example.com]'],
  ['formats', ['pdf', 'csv'], 'one schedule for each'],
  ['format', ['pdf', 'csv'], 'one schedule for each'],
  ['options', { formatted: true, limit: 'all' }, 'enableFormatting'],
  ['schedule', { frequency: 'weekly', timezone: 'UTC' }, '0 9 ? * MON *'],
  ['schedule', 'monthly', '0 9 1 * ? *'],
  ['schedule', 'daily', '0 9 * * ? *'],
  ['format', 'wysiwyg_pdf', 'Did you mean `pdf`?'],
  ['format', 'assembled_pdf', 'Did you mean `pdf`?'],
  ['format', 'wysiwyg_png', 'Did you mean `png`?'],
  ['format', 'gsheets', 'Omni has no'],
  ['format', 'PPTX', 'Omni has no'],
  ['format', 'TEXT', 'Omni has no'],
  ['format', 'json_detail', 'Omni has no'],
  ['destinationType', 'msteams', 'Omni has none of these'],
  ['destinationType', 'channel/email', 'Did you mean `email`?'],
  ['destinationType', 'SlackV2', 'Did you mean `slack`?'],
  ['paperFormat', 'a5', 'Omni has no', 'Did you mean'],
  ['conditionType', 'has_result', 'Did you mean `RESULTS_PRESENT`?'],
  ['folder', '/in', 'only `sftp` has it', 'Did you mean'],
  ['id', '12', 'almanac import', 'Did you mean'],
  ['title', 'A', 'Did you mean `name`?'],
];

const answered = byValue.map(([field, value, has, not]) => ({ field, value, has, not }));

test.each(answered)('$field: $value is answered by its value: $has', async ({ field, value, has, not }) => {
  const format: JsonObject = field === 'paperFormat' ? { format: 'pdf' } : {};
  const hints = (await errorsOf({ ...format, [field]: value })).map(({ hint }) => hint).join(' | ');
  expect(hints).toContain(has);
  expect(hints).not.toMatch(/Remove it/);
  if (not !== undefined) expect(hints).not.toContain(not);
});

test('a hint never repeats a value of the environment', async () => {
  const text = JSON.stringify({
    schedules: { a: { ...mail({}), targets: ['${env.TO}'], options: { recipient: '${env.TO}' } } },
  });
  const findings = await diagnosticsOf({ 'schedules/a.yaml': text });
  expect(findings.map(({ hint }) => hint).join()).not.toContain('@');
});

test('the table is read where a finding asks for it, and not for a workspace without one', async () => {
  vi.resetModules();
  const read = vi.fn(() => ({ otherWords: { meaningOf: () => undefined, valueHint: () => undefined } }));
  vi.doMock('../../src/declare/words/other-words.ts', read);
  const { diagnosticsOf: freshly } = await import('../support/apply/loading.ts');
  const sourceOf = (fields: JsonObject) => ({ 'schedules/a.yaml': JSON.stringify({ schedules: { a: mail(fields) } }) });
  await freshly(sourceOf({}));
  expect(read).not.toHaveBeenCalled();
  await freshly(sourceOf({ run_as: true }));
  expect(read).toHaveBeenCalled();
  vi.doUnmock('../../src/declare/words/other-words.ts');
});

test('every field that the table names exists, every tool has words, and docs/from-other-tools.md has every row', () => {
  const settings = [...JSON.stringify(configFields).matchAll(/"(\w+)":/g)].map(([, name = '']) => name);
  const ofResources = Object.values(fieldsOf).flatMap((each) => Object.keys(each));
  const fields = new Set([...ofResources, ...settings, 'environments', 'preventDestroy']);
  const inDestinations = ['recipientEmails', 'userGroupIds', 'recipientId'];
  const named = wordRows.flatMap(({ field }) => field ?? []);
  expect(named.filter((field) => !fields.has(field) && !inDestinations.includes(field))).toEqual([]);
  const sentences = wordRows.flatMap(({ says, values }) => [says, ...values.map(([, each]) => each)]);
  const fieldsIn = sentences.flatMap((each) =>
    [...each.matchAll(/`([a-z]+[A-Z]\w*)\b/g)].map(([, field = '']) => field),
  );
  expect(fieldsIn.filter((field) => !fields.has(field) && field !== 'forEach')).toEqual([]);
  expect(new Set(wordRows.flatMap(({ tools }) => [...tools])).size).toBe(9);
  expect(readFileSync('docs/from-other-tools.md', 'utf8')).toContain(wordsTable());
  const folded = rows.flatMap(({ words, field, among }) =>
    words.map((word) => `${foldedWord(word)} ${field ?? among}`),
  );
  expect(folded.filter((word, at) => folded.indexOf(word) !== at)).toEqual([]);
});

const ofAFirstWeek: readonly (readonly [field: string, value: Json, has: string])[] = [
  ['is_run_as_recipient', true, 'fanOut'],
  ['email_recipients', 'bo@example.com;cy@example.com', '[bo@example.com, cy@example.com]'],
  ['distribution_list', 'sales', '`recipients`'],
  ['timeframe', 'last 7 days', '`filterConfig`'],
  ['only_send_if', 'results', 'RESULTS_PRESENT'],
  ['hidden_columns', ['a'], 'hideHiddenFields'],
  ['tile', 'Revenue', 'queryIdentifierMapKey'],
  ['run_at', '09:00', '0 9 * * ? *'],
  ['day', 'monday', '`MON`'],
  ['valid_until', '2026-12-31', 'ends with its year'],
  ['where', 'a = 1', '`filterConfig`'],
  ['burst_by', 'region', '`forEach`'],
  ['sender', 'me@example.com', 'Omni has no address'],
  ['s3_path', 's3://b/x', '`bucketName`'],
  ['environment', 'prod', 'in: [production]'],
  ['private_key', 'x', '`passwordUnencrypted`'],
];

test.each(ofAFirstWeek)('what people write in a first week: `%s: %j` names %s', async (...[field, value, has]) => {
  const hints = (await errorsOf({ [String(field)]: value as Json })).map(({ hint }) => hint).join(' | ');
  expect(hints).toContain(has);
  expect(hints).not.toMatch(/Remove it/);
});

test.each<[what: string, fields: JsonObject, says: string | RegExp]>([
  ['a rule that is off', { run_as_recipient: false }, 'Leave it out: without `fanOut: true`'],
  ['rows that are not to be expanded', { long_tables: false }, 'the rows of the tile count'],
  ['a file that is not to be attached', { include_csv: false }, 'only what `format` says is sent'],
  ['a time in the afternoon', { time: '9:30 PM' }, /^(?!.*`30 9 )/],
  ['two times', { times: ['07:00', '16:00'] }, /^(?!.*`0 7 \* \* \? \*`)/],
  ['a time with an offset', { time: '09:00+02:00' }, /^(?!.*`0 9 \* \* \? \*` )/],
  ['a range of days', { days: 'MON-FRI' }, '`MON-FRI`'],
  ['a range of days in a list', { weekdays: ['monday:friday'] }, '`MON-FRI`'],
  ['a word that begins like a day', { day: 'monthly' }, /^(?!.*`MON` as)/],
])('an advice keeps all that a value says, or repeats nothing of it: %s', async (_, fields, says) => {
  const hints = (await errorsOf(fields)).map(({ hint = '' }) => hint).join(' ');
  expect(hints).not.toBe('');
  expect(hints).toMatch(typeof says === 'string' ? new RegExp(says.replaceAll(/[()$^.*?:|]/g, '\\$&')) : says);
});
