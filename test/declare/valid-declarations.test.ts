// Each rule of a valid declaration, by its number: what breaks it has its code and severity, and what keeps it has neither.

import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { diagnosticsOf } from '../support/apply/loading.ts';
import { bucket, hook, mail, sftp, slack } from '../support/vocabulary.ts';

type Fields = Record<string, Json | undefined>;
const sound = {
  ...{ csv: () => mail({ format: 'csv' }), pdf: () => mail({ format: 'pdf' }), xlsx: () => mail({ format: 'xlsx' }) },
};
const file = (fields: Fields, more: JsonObject = {}) => ({
  'schedules/a.yaml': JSON.stringify({ ...more, schedules: { a: fields } }),
  'schedules/c.csv': 'code,to\nnp,ana@example.com\n',
});
const of = (section: string, fields: Fields) => ({ 'schedules/a.yaml': JSON.stringify({ [section]: { a: fields } }) });
const core = { 'almanac.yaml': 'api: { operations: core }\n' };
const full = { 'almanac.yaml': 'api: { operations: full }\n' };
const dashboard = (more: Fields) =>
  of('dashboards', { identifier: '12db1a0a', filters: { region: { values: ['a'] } }, ...more });
const job = (more: Fields) => of('aiJobs', { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: 'Go', ...more });
const alert = { conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: '1' };

type Files = Readonly<Record<string, string>>;
type Rule = readonly [severity: 'error' | 'warning' | 'note', code: string, broken: Files, kept: Files];
const email = (fields: Fields) => file({ ...mail({}), ...fields });
const csv = (fields: Fields) => file({ ...sound.csv(), ...fields });
const pdf = (fields: Fields) => file({ ...sound.pdf(), ...fields });
const s3 = (fields: Fields) => file({ ...bucket(), ...fields });
const ftp = (fields: Fields) => file({ ...sftp({ passwordUnencrypted: undefined }), ...fields });
const web = (fields: Fields) => file({ ...hook({}), ...fields });
const chat = (fields: Fields) => file({ ...slack({}), ...fields });
const cron = (schedule: string) => email({ schedule });

/** The rules in the order in which they are numbered. */
const rules: readonly Rule[] = [
  // Schedules: common.
  ['error', 'required-field', email({ timezone: undefined }), email({})],
  ['error', 'unknown-field', email({ nonsense: 1 }), email({ meta: { tags: ['x'] } })],
  ['error', 'unknown-value', email({ format: 'gif' }), email({ format: 'png' })],
  ['error', 'wrong-type', email({ showFilters: 'false' }), email({ showFilters: false })],
  ['error', 'invalid-cron', cron('0 9 * * *'), cron('0 9 * * ? *')],
  ['warning', 'cron-never-fires', cron('0 9 30 2 ? *'), cron('0 9 28 2 ? *')],
  ['warning', 'cron-too-frequent', cron('*/5 * * * ? *'), cron('0 * * * ? *')],
  ['error', 'invalid-timezone', email({ timezone: '+05:30' }), email({ timezone: 'US/Eastern' })],
  ['error', 'condition-incomplete', email({ conditionType: 'RESULTS_PRESENT' }), email(alert)],
  ['error', 'query-required', csv({ format: 'xlsx', overrideRowLimit: true }), csv({ overrideRowLimit: true })],
  ['error', 'test-not-supported', s3({ testNow: true }), email({ testNow: true })],
  ['error', 'field-not-for-format', csv({ paperFormat: 'a4' }), pdf({ paperFormat: 'a4' })],
  ['warning', 'row-limit-without-override', csv({ maxRowLimit: 5 }), csv({ maxRowLimit: 5, overrideRowLimit: true })],
  [
    'warning',
    'row-limit-without-rows',
    csv({ maxRowLimit: 0, overrideRowLimit: true }),
    csv({ maxRowLimit: 1, overrideRowLimit: true }),
  ],
  [
    'error',
    'fit-page-expands',
    pdf({ paperFormat: 'fit_page', expandTablesToShowAllRows: true }),
    pdf({ paperFormat: 'a4', expandTablesToShowAllRows: true }),
  ],
  [
    'warning',
    'fit-page-single-column',
    pdf({ paperFormat: 'fit_page', singleColumnLayout: true }),
    pdf({ paperFormat: 'a4', singleColumnLayout: true }),
  ],
  ['warning', 'one-off-schedule', email({ testNow: true }), email({})],
  ['error', 'paused-needs-full', { ...email({ paused: true }), ...core }, { ...email({ paused: true }), ...full }],
  [
    'warning',
    'duplicate-schedule',
    { 'schedules/a.yaml': JSON.stringify({ schedules: { a: mail({}), b: mail({}) } }) },
    { 'schedules/a.yaml': JSON.stringify({ schedules: { a: mail({}), b: mail({ name: 'B' }) } }) },
  ],
  ['error', 'identifier-is-url', email({ identifier: 'https://acme.omniapp.co/dashboards/12db1a0a' }), email({})],
  ['error', 'secret-not-here', email({ subject: '${env.SUBJECT}' }), ftp({ passwordUnencrypted: '${env.PASSWORD}' })],
  [
    'error',
    'reserved-variable',
    ftp({ passwordUnencrypted: '${env.AWS_X}' }),
    ftp({ passwordUnencrypted: '${env.ACME_X}' }),
  ],
  ['warning', 'fixed-offset-zone', email({ timezone: 'EST' }), email({ timezone: 'America/New_York' })],
  [
    'warning',
    'accepted-nothing',
    email({ accept: { 'cron-too-frequent': 'Asked for.' } }),
    email({ schedule: '*/5 * * * ? *', accept: { 'cron-too-frequent': 'Asked for.' } }),
  ],
  ['error', 'for-each-list', email({ forEach: ['a'] }), email({ forEach: { a: {} }, name: 'A ${each.key}' })],
  [
    'error',
    'for-each-key',
    email({ forEach: { 'a b': {} }, name: '${each.key}' }),
    email({ forEach: { a: {} }, name: '${each.key}' }),
  ],
  [
    'error',
    'for-each-missing',
    email({ forEach: { a: { x: 'X' }, b: {} }, name: '${each.key} ${each.x}' }),
    email({ forEach: { a: { x: 'X' }, b: { x: 'Y' } }, name: '${each.key} ${each.x}' }),
  ],
  ['error', 'each-outside', email({ subject: '${each.x}' }), email({})],
  [
    'warning',
    'for-each-unused',
    email({ forEach: { a: { x: 'X' } }, name: '${each.key}' }),
    email({ forEach: { a: { x: 'X' } }, name: '${each.key} ${each.x}' }),
  ],
  [
    'warning',
    'for-each-same-name',
    email({ forEach: { a: {}, b: {} }, filterConfig: { f: { values: ['${each.key}'] } } }),
    email({ forEach: { a: {}, b: {} }, name: '${each.key}' }),
  ],
  [
    'warning',
    'unused-audience',
    {
      'schedules/a.yaml': JSON.stringify({
        audiences: { x: { emails: ['ana@example.com'] } },
        schedules: { a: mail({}) },
      }),
    },
    {
      'schedules/a.yaml': JSON.stringify({
        audiences: { x: { emails: ['ana@example.com'] } },
        schedules: { a: mail({ recipients: '${audience.x}' as never }) },
      }),
    },
  ],
  ['error', 'unknown-audience', email({ recipients: '${audience.nobody}' }), email({})],
  [
    'error',
    'unknown-environment',
    email({ in: ['prod'] }),
    { ...email({ in: ['prod'] }), 'almanac.yaml': 'api: { operations: full }\nenvironments: { prod: {} }\n' },
  ],
  [
    'error',
    'owner-conflict',
    email({ owner: 'ana@example.com', userId: '987fcdeb-51a2-43d7-9b56-254415f67890' }),
    email({ owner: 'ana@example.com' }),
  ],
  // Schedules: destinations.
  ['error', 'field-not-for-destination', web({ subject: 'x' }), email({ subject: 'x' })],
  ['error', 'required-field', web({ url: undefined }), web({})],
  ['error', 'invalid-url', web({ url: 'acme.example/x' }), web({ url: 'https://acme.example/x' })],
  ['error', 'required-field', email({ recipients: undefined }), email({})],
  ['error', 'required-field', email({ subject: undefined }), email({})],
  ['error', 'invalid-email', email({ recipients: ['ana@'] }), email({ recipients: ['ana+x@example.com'] })],
  ['warning', 'duplicate-recipient', email({ recipients: ['ana@example.com', 'ANA@example.com'] }), email({})],
  ['error', 'required-field', chat({ slackRecipientType: undefined }), chat({})],
  [
    'error',
    'one-slack-channel',
    chat({ recipients: ['C0123456789', 'C0123456780'] }),
    chat({ recipients: ['C0123456789'] }),
  ],
  ['error', 'required-field', ftp({ port: undefined }), ftp({})],
  ['error', 'wrong-type', ftp({ port: '22' }), ftp({ port: 22 })],
  ['error', 'wrong-type', ftp({ port: 65536 }), ftp({ port: 65535 })],
  [
    'warning',
    'secret-in-plain-text',
    ftp({ passwordUnencrypted: 'hunter2!' }),
    ftp({ passwordUnencrypted: '${env.PASSWORD}' }),
  ],
  ['error', 'required-field', s3({ roleArn: undefined }), s3({})],
  // Dashboards.
  ['error', 'required-field', dashboard({ identifier: undefined }), dashboard({})],
  ['error', 'nothing-to-update', dashboard({ filters: {} }), dashboard({})],
  ['error', 'wrong-type', dashboard({ filterOrder: ['a', 'a'] }), dashboard({ filterOrder: ['a', 'b'] })],
  ['error', 'wrong-type', dashboard({ clearExistingDraft: 'yes' }), dashboard({})],
  [
    'error',
    'dashboard-declared-twice',
    {
      'schedules/a.yaml':
        'dashboards: { a: { identifier: x, filterOrder: [r] }, b: { identifier: x, filterOrder: [r] } }',
    },
    {
      'schedules/a.yaml':
        'dashboards: { a: { identifier: x, filterOrder: [r] }, b: { identifier: y, filterOrder: [r] } }',
    },
  ],
  ['warning', 'discards-draft', dashboard({ clearExistingDraft: true }), dashboard({ clearExistingDraft: false })],
  // AI jobs.
  ['error', 'required-field', job({ modelId: undefined }), job({})],
  ['error', 'wrong-type', job({ prompt: '' }), job({})],
  ['error', 'invalid-id', job({ modelId: 'a b' }), job({})],
  ['error', 'wrong-type', job({ topicName: 'x'.repeat(257) }), job({ topicName: 'x'.repeat(256) })],
  [
    'error',
    'invalid-url',
    job({ webhookUrl: 'ftp://acme.example' }),
    job({ webhookUrl: 'https://acme.example', webhookSigningSecret: '${env.X_SECRET}' }),
  ],
  ['error', 'progress-needs-webhook', job({ progressWebhookEnabled: true }), job({})],
  ['warning', 'unsigned-webhook', job({ webhookUrl: 'https://acme.example' }), job({})],
  ['warning', 'secret-in-plain-text', web({ url: 'https://acme.example/x?token=abcdefgh12' }), web({})],
  // All.
  [
    'error',
    'invalid-moved',
    {
      'schedules/a.yaml': JSON.stringify({
        moved: [{ from: 'schedules.a', to: 'schedules.a' }],
        schedules: { a: mail({}) },
      }),
    },
    {
      'schedules/a.yaml': JSON.stringify({
        moved: [{ from: 'schedules.b', to: 'schedules.a' }],
        schedules: { a: mail({}) },
      }),
    },
  ],
  [
    'error',
    'invalid-removed',
    {
      'schedules/a.yaml': JSON.stringify({
        removed: [{ from: 'schedules.a', keep: true }],
        schedules: { a: mail({}) },
      }),
    },
    {
      'schedules/a.yaml': JSON.stringify({
        removed: [{ from: 'schedules.b', keep: true }],
        schedules: { a: mail({}) },
      }),
    },
  ],
  // Cron.
  ...(
    [
      ['cron(0 9 * * ? *)', '0 9 * * ? *'],
      ['rate(1 hour)', '0 * * * ? *'],
      ['@daily', '0 0 * * ? *'],
      ['0 9 * * 1', '0 9 ? * MON *'],
      ['0 0 9 ? * MON *', '0 9 ? * MON *'],
      ['0 9 * * * *', '0 9 * * ? *'],
      ['0 9 ? * ? *', '0 9 ? * * *'],
      ['0 9 1 * MON *', '0 9 1 * ? *'],
      ['60 9 * * ? *', '59 9 * * ? *'],
      ['0 24 * * ? *', '0 23 * * ? *'],
      ['0 9 32 * ? *', '0 9 31 * ? *'],
      ['0 9 1 13 ? *', '0 9 1 12 ? *'],
      ['0 9 ? * 8 *', '0 9 ? * SAT *'],
      ['0 9 ? * MON#6 *', '0 9 ? * MON#5 *'],
      ['0 9 1 1 ? 1969', '0 9 1 1 ? 2199'],
      ['0/60 9 * * ? *', '0 9 * * ? *'],
      ['0,,5 9 * * ? *', '0 9 * * ? *'],
      ['0 9 1-5W * ? *', '0 9 15W * ? *'],
      ['0 9 1,L * ? *', '0 9 L * ? *'],
      ['0 9 1 1 ? 2030-2028', '0 9 1 1 ? 2028-2030'],
      ['0 9 l * ? *', '0 9 L * ? *'],
    ] as const
  ).map(([broken, kept]): Rule => ['error', 'invalid-cron', cron(broken), cron(kept)]),
  ...['0 9 LW * ? *', '0 9 L-3 * ? *', '0 9 28-3 * ? *', '0 9 ? * MON/2 *'].map(
    (broken): Rule => ['warning', 'cron-undocumented', cron(broken), cron('0 20-2 * * ? *')],
  ),
  // Formats.
  ['error', 'invalid-bucket-name', s3({ bucketName: 'Acme' }), s3({ bucketName: 'acme.reports' })],
  ['warning', 'bucket-name-aws', s3({ bucketName: 'xn--acme' }), s3({ bucketName: 'acme-reports' })],
  ['warning', 'unknown-region', s3({ region: 'fips-us-east-1' }), s3({ region: 'eu-west-1' })],
  ['error', 'invalid-role-arn', s3({ roleArn: 'omni' }), s3({})],
  [
    'warning',
    'role-arn-aws',
    s3({ roleArn: 'arn:aws:iam::12:role/x' }),
    s3({ roleArn: 'arn:aws-cn:iam::123456789012:role/a/x' }),
  ],
  ['error', 'invalid-key-prefix', s3({ keyPrefix: 'a/%2e%2e/b' }), s3({ keyPrefix: 'a..b/..backup' })],
  ['error', 'invalid-filename', s3({ filename: 'x.csv' }), s3({ filename: 'x-{{currentDate}}' })],
  [
    'error',
    'invalid-email',
    email({ recipients: ['Ana <ana@example.com>'] }),
    email({ recipients: ['ana@example.com'] }),
  ],
  ['warning', 'timezone-spelling', email({ timezone: 'europe/london' }), email({ timezone: 'Asia/Calcutta' })],
  // What came later.
  [
    'warning',
    'filter-empty',
    email({ filterConfig: { f: { values: [] } } }),
    email({ filterConfig: { f: { type: 'null' } } }),
  ],
  [
    'warning',
    'filter-spelling',
    email({ filterConfig: { f: { kind: 'EQUAL', values: ['a'] } } }),
    email({ filterConfig: { f: { kind: 'EQUALS', type: 'string', values: ['a'] } } }),
  ],
  [
    'warning',
    'audience-in-part',
    {
      'schedules/a.yaml': JSON.stringify({
        audiences: { x: { emails: ['ana@example.com'], userGroups: ['Board'] } },
        schedules: { a: mail({ recipients: '${audience.x}' as never }) },
      }),
    },
    email({}),
  ],
  [
    'error',
    'groups-need-full',
    { ...email({ userGroups: ['Board'] }), ...core },
    { ...email({ userGroups: ['Board'] }), ...full },
  ],
  [
    'error',
    'override-needs-full',
    { ...email({ timezoneOverride: 'UTC' }), ...core },
    { ...email({ timezoneOverride: 'UTC' }), ...full },
  ],
  [
    'warning',
    'recipient-not-inside',
    {
      ...email({ recipients: ['x@acme.example'] }),
      'almanac.yaml': 'safety: { internalDomains: [example.com] }\nchecks: { recipient-not-inside: warning }\n',
    },
    email({}),
  ],
  ['warning', 'day-by-number', cron('0 9 ? * 1 *'), cron('0 9 ? * SUN *')],
  ['note', 'day-by-number', cron('0 9 ? * 7 *'), cron('0 9 ? * SAT *')],
  ['warning', 'not-a-template', s3({ keyPrefix: '{{currentYear}}' }), s3({ keyPrefix: 'x' })],
  ['warning', 'odd-prefix', s3({ keyPrefix: 'a//b' }), s3({ keyPrefix: 'a/b' })],
  ['warning', 'slack-id-kind', chat({ recipients: ['U0123456789'] }), chat({ recipients: ['C0123456789'] })],
];

const numbered = rules.map(([severity, code, broken, kept], at) => ({ number: at + 1, severity, code, broken, kept }));

test.each(numbered)(
  'rule $number: $code is one $severity where it is broken, and none where it is kept',
  async ({ severity, code, broken, kept }) => {
    const withFull = (files: Files) => ({ ...full, ...files });
    const found = (await diagnosticsOf(withFull(broken))).filter((each) => each.code === code);
    expect(found.map((each) => each.severity)).toEqual([severity]);
    expect(found[0]?.hint).toBeTruthy();
    expect(found[0]?.path).toBeTruthy();
    const beside = (await diagnosticsOf(withFull(kept))).filter((each) => each.code === code && !each.accepted);
    expect(beside).toEqual([]);
  },
);
