// Every rule that an editor can know is in the published schema, which finds one error for each fault; the validator
// also finds one, with the code of the rule.

import { expect, test } from 'vitest';
import { makeAjv } from '../../scripts/schemas/compile-validators.ts';
import { publishedSchemas } from '../../scripts/schemas/published-schemas.ts';
import { parseResources } from '../../src/declare/parse-resources.ts';
import { validate } from '../../src/declare/validate.ts';
import { type Destination, destinations, type Field, type Format, formats } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import type { Kind } from '../../src/model/values/address.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import type { Code } from '../../src/model/workspace/codes.ts';
import { parseSource } from '../../src/yaml/parse-source.ts';
import {
  aiJob as anyAiJob,
  dashboard as anyDashboard,
  routine as anyRoutine,
  bucket,
  hook,
  slack as inSlack,
  mail,
  sftp,
} from '../support/vocabulary.ts';

const isPublishedValid = makeAjv().compile(publishedSchemas()['resources.schema.json'] ?? {});

/** What an editor would mark; `if` only says that its branch failed. */
function marks(value: Json): readonly string[] {
  isPublishedValid(value);
  return (isPublishedValid.errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ instancePath, keyword }) => `${keyword} ${instancePath}`);
}

async function errorCodes(value: Json): Promise<readonly Code[]> {
  const source = parseSource({ path: 'schedules/it.yaml', text: JSON.stringify(value) });
  const scope = {
    variables: {},
    environment: () => undefined,
    isReserved: () => false,
    readFile: () => ({ text: '' }),
  };
  const { value: resources, findings } = parseResources(source.value, [], () => scope);
  const found = await validate({ documents: source.value, resources }, { operations: 'full', now: 0 });
  expect([...source.findings, ...findings]).toEqual([]);
  const cautions: readonly Code[] = ['one-off-schedule', 'row-limit-without-override', 'unsigned-webhook'];
  return found.findings.map(({ code }) => code).filter((code) => !cautions.includes(code));
}

const sections = { schedule: 'schedules', dashboard: 'dashboards', routine: 'routines', aiJob: 'aiJobs' } as const;
const file = (kind: Kind, fields: JsonObject): JsonObject => ({ [sections[kind]]: { it: fields } });

const ofDestination: Readonly<Record<Destination, (more: JsonObject) => JsonObject>> = {
  webhook: hook,
  email: mail,
  slack: inSlack,
  sftp: (more) => sftp({ passwordUnencrypted: undefined, ...more }),
  s3: bucket,
};
const required: Readonly<Record<Destination, readonly string[]>> = {
  webhook: ['url'],
  email: ['recipients', 'subject'],
  slack: ['recipients', 'slackRecipientType'],
  sftp: ['address', 'port', 'username', 'path'],
  s3: ['bucketName', 'region', 'roleArn'],
};

const schedule = (destination: Destination = 'webhook', format: Format = 'csv') =>
  ofDestination[destination]({ format });
const dashboard = anyDashboard();
const aiJob = anyAiJob();
const routine = anyRoutine();
const slackRoutine = anyRoutine({
  destination: { type: 'slack', recipientId: 'C0123456789', slackRecipientType: 'channel' },
});
const to = (destination: Json): JsonObject => ({ destination });
const group = '0aea1b4c-ebfd-4f6a-bdf6-d7edfd798b34';

function without(fields: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

type Fault = readonly [code: Code, what: string, kind: Kind, fields: JsonObject];

const rule = (code: Code, kind: Kind, base: JsonObject, ...changes: JsonObject[]): Fault[] =>
  changes.map((change) => [code, JSON.stringify(change), kind, { ...base, ...change }]);
const missing = (kind: Kind, base: JsonObject, ...names: string[]): Fault[] =>
  names.map((name) => ['required-field', `${name} missing`, kind, without(base, name)]);

const webhook = (format: Format) => schedule('webhook', format);
const slack = schedule('slack');
const s3 = schedule('s3');
const uuids = ['770e8400e29b41d4a716446655440002', ' 770e8400-e29b-41d4-a716-446655440002', ''];

const faults: readonly Fault[] = [
  // Schedules: common
  ...missing('schedule', schedule(), 'identifier', 'name', 'schedule', 'timezone', 'format', 'destinationType'),
  ...rule('unknown-field', 'schedule', schedule(), { colour: 1 }, { Name: 'x' }, { lifecycle: { protect: true } }),
  ...rule('unknown-field', 'schedule', schedule(), { meta: { owners: 'ana' } }),
  ...rule('unknown-value', 'schedule', without(webhook('csv'), 'url'), { format: 'html', url: 'https://a.example' }),
  ...rule('unknown-value', 'schedule', without(schedule(), 'url'), { destinationType: 'gcs' }, { destinationType: 1 }),
  ...rule('unknown-value', 'schedule', { ...schedule(), conditionQueryMapKey: '1' }, { conditionType: 'PRESENT' }),
  ...rule('unknown-value', 'schedule', webhook('pdf'), { paperFormat: 'a44' }, { paperOrientation: 'Portrait' }),
  ...rule('unknown-value', 'schedule', slack, { slackRecipientType: 'chanel' }, { slackRecipientType: null }),
  ...rule('wrong-type', 'schedule', webhook('pdf'), { hideTitle: 'false' }, { testNow: 0 }, { filterConfig: [] }),
  ...rule('wrong-type', 'schedule', schedule(), { name: 1 }, { name: '' }, { identifier: '' }, { timezone: '' }),
  ...rule('wrong-type', 'schedule', schedule('email'), { subject: '' }, { recipients: 'ana@example.com' }),
  ...rule('wrong-type', 'schedule', webhook('csv'), { maxRowLimit: 1.5 }, { maxRowLimit: '10' }, { extra: 'x' }),
  ...rule('wrong-type', 'schedule', schedule('sftp'), { port: '22' }, { port: 0 }, { port: 65_536 }, { path: '' }),
  ...rule('wrong-type', 'schedule', schedule(), { lifecycle: { ignoreChanges: ['name', 'name'] } }, { paused: 'yes' }),
  ...rule('wrong-type', 'schedule', schedule(), { meta: { tags: ['a b'] } }, { meta: { owner: 'a,b' } }, { meta: 'x' }),
  ...rule('invalid-cron', 'schedule', schedule(), { schedule: '0 9 * * MON' }, { schedule: '0 9 * * * *' }),
  ...rule(
    'condition-incomplete',
    'schedule',
    schedule(),
    { conditionType: 'RESULTS_PRESENT' },
    { conditionQueryMapKey: '1' },
  ),
  ...rule('query-required', 'schedule', webhook('json'), { enableFormatting: true }, { overrideRowLimit: true }),
  ...rule('query-required', 'schedule', webhook('xlsx'), { overrideRowLimit: true }),
  ...rule('test-not-supported', 'schedule', s3, { testNow: true }),
  ...rule(
    'test-not-supported',
    'schedule',
    { ...schedule(), testNow: true },
    {
      conditionType: 'RESULTS_CHANGED',
      conditionQueryMapKey: '1',
    },
  ),
  ...rule('invalid-row-limit', 'schedule', webhook('csv'), { maxRowLimit: 0 }, { maxRowLimit: -1 }),
  ...rule('fit-page-expands', 'schedule', webhook('pdf'), { paperFormat: 'fit_page', expandTablesToShowAllRows: true }),

  // Schedules: destinations
  ...destinations.flatMap((destination) => missing('schedule', schedule(destination), ...required[destination])),
  ...rule('invalid-url', 'schedule', schedule(), { url: 'ftp://a.example' }, { url: 'hooks.example.com' }, { url: '' }),
  ...rule('wrong-type', 'schedule', schedule('email'), { recipients: [] }, { recipients: [1] }),
  ...rule(
    'invalid-email',
    'schedule',
    schedule('email'),
    { recipients: ['ana'] },
    { recipients: ['Ana <a@b.example>'] },
  ),
  ...rule('one-slack-channel', 'schedule', slack, { recipients: 'C1,C2' }, { recipients: ['C1', 'C2'] }),
  ...rule('one-slack-channel', 'schedule', slack, { recipients: ['C1,C2'] }, { recipients: 'C1, C2' }),
  ...rule('wrong-type', 'schedule', { ...slack, slackRecipientType: 'users' }, { recipients: ',' }, { recipients: [] }),
  ...rule(
    'invalid-bucket-name',
    'schedule',
    s3,
    { bucketName: 'ab' },
    { bucketName: 'Acme' },
    { bucketName: 'a'.repeat(64) },
  ),
  ...rule(
    'invalid-region',
    'schedule',
    s3,
    { region: 'Ireland' },
    { region: 'fips-us-east-1' },
    { region: 'us-east-1-fips' },
  ),
  ...rule('invalid-role-arn', 'schedule', s3, { roleArn: 'omni' }, { roleArn: 'arn:aws:iam::123456789012:user/x' }),
  ...rule('invalid-filename', 'schedule', s3, { filename: '' }),
  ...uuids.flatMap((userId) => rule('invalid-uuid', 'schedule', schedule(), { userId })),

  // Dashboards
  ...missing('dashboard', dashboard, 'identifier'),
  ...rule('nothing-to-update', 'dashboard', { identifier: '12db1a0a' }, {}, { filters: {} }, { filterOrder: [] }),
  ...rule('nothing-to-update', 'dashboard', { identifier: '12db1a0a' }, { filters: {}, controls: {}, filterOrder: [] }),
  ...rule('wrong-type', 'dashboard', dashboard, { filters: [] }, { filters: { a: { values: 'x' } } }),
  ...rule('wrong-type', 'dashboard', dashboard, { filters: { a: { values: [1] } } }, { controls: { a: [] } }),
  ...rule('filter-shape', 'dashboard', dashboard, { filters: { a: 'x' } }, { filters: { a: ['x'] } }),
  ...rule('filter-shape', 'schedule', schedule(), { filterConfig: { a: 'x' } }, { filterConfig: { a: ['x'] } }),
  ...rule('wrong-type', 'schedule', schedule(), { filterConfig: { a: { values: 'x' } } }),
  ...rule(
    'wrong-type',
    'dashboard',
    dashboard,
    { filterOrder: ['a', 'a'] },
    { filterOrder: [1] },
    { filterOrder: 'a' },
  ),
  ...rule('wrong-type', 'dashboard', dashboard, { clearExistingDraft: 'true' }, { userId: 1 }),
  ...rule('unknown-field', 'dashboard', dashboard, { filter: {} }, { schedule: '0 9 ? * MON *' }),

  // AI jobs
  ...missing('aiJob', aiJob, 'modelId', 'prompt'),
  ...rule(
    'wrong-type',
    'aiJob',
    aiJob,
    { prompt: '' },
    { topicName: 1 },
    { topicName: 'x'.repeat(257) },
    { webhookMetadata: [] },
  ),
  ...['modelId', 'conversationId', 'branchId', 'userId'].flatMap((name) =>
    uuids.flatMap((value) => rule('invalid-uuid', 'aiJob', aiJob, { [name]: value })),
  ),
  ...rule('invalid-url', 'aiJob', aiJob, { webhookUrl: 'hooks.example.com' }),
  ...rule('progress-needs-webhook', 'aiJob', aiJob, { progressWebhookEnabled: true }),

  // Routines
  ...missing('routine', routine, 'modelId', 'name', 'prompt', 'schedule', 'timezone', 'destination'),
  ...rule(
    'required-field',
    'routine',
    routine,
    to({ recipientEmails: ['ana@example.com'] }),
    to({ type: 'email' }),
    to({ type: 'email', recipientEmails: [], userGroupIds: [] }),
    to({ type: 'slack', recipientId: 'C0123456789' }),
  ),
  ...rule('unknown-value', 'routine', routine, to({ type: 'webhook' })),
  ...rule(
    'field-not-for-destination',
    'routine',
    routine,
    to({ type: 'email', userGroupIds: [group], slackRecipientType: 'users' }),
    to({ type: 'slack', recipientId: 'C0123456789', slackRecipientType: 'channel', userGroupIds: [group] }),
  ),
  ...rule(
    'wrong-type',
    'routine',
    routine,
    { name: 'x'.repeat(513) },
    { description: 'x'.repeat(2_001) },
    { topicName: 'x'.repeat(257) },
    to([]),
    to({ type: 'email', recipientEmails: Array.from({ length: 101 }, (_, index) => `a${index}@example.com`) }),
  ),
  ...rule('invalid-uuid', 'routine', routine, { branchId: 'main' }, to({ type: 'email', userGroupIds: ['Board'] })),
  ...rule('unknown-field', 'routine', routine, { paused: true }, { format: 'pdf' }, to({ type: 'email', cc: [] })),
];

test.each(faults)('the schema reports %s: %s', async (code, _, kind, fields) => {
  const value = file(kind, fields);
  expect(marks(value)).toHaveLength(1);
  expect(await errorCodes(value)).toEqual([code]);
});

const field = (name: string): Field => fieldsOf.schedule[name] as Field;
const anyValue: Readonly<Record<string, Json>> = {
  string: 'x',
  boolean: true,
  integer: 1,
  choice: 'a4',
  list: [],
  object: {},
  textOrList: 'x',
};

const misplaced = Object.keys(fieldsOf.schedule).flatMap((name) => {
  const { formats: ownFormats, destinations: ownDestinations, shape } = field(name);
  const value = anyValue[shape.type] ?? null;
  return [
    ...formats
      .filter((format) => ownFormats && !ownFormats.includes(format))
      .map((format) => [name, format, 'field-not-for-format', { ...webhook(format), [name]: value }] as const),
    ...destinations
      .filter((destination) => ownDestinations && !ownDestinations.includes(destination))
      .map(
        (destination) =>
          [name, destination, 'field-not-for-destination', { ...schedule(destination), [name]: value }] as const,
      ),
  ];
});

test.each(misplaced)('the schema reports that %s is not a field of %s', async (name, _, code, fields) => {
  const value = file('schedule', fields);
  expect(marks(value)).toEqual([`false schema /schedules/it/${name}`]);
  expect(await errorCodes(value)).toEqual([code]);
});

test.each([
  ...destinations.flatMap((destination) =>
    formats.map((format) => ['schedule', schedule(destination, format)] as const),
  ),
  ['dashboard', dashboard] as const,
  ['aiJob', aiJob] as const,
  ['routine', routine] as const,
  ['routine', slackRoutine] as const,
  ['routine', { ...routine, ...to({ type: 'email', userGroupIds: [group] }) }] as const,
])('a valid %s has no problem', async (kind, fields) => {
  expect(marks(file(kind, fields))).toEqual([]);
  expect(await errorCodes(file(kind, fields))).toEqual([]);
});

// Texts that are yet to be made, and texts that only look so: `$${` is a literal.
const interpolated = ['${var.x}', 'a ${var.x} b, c', '${env.X}${file.y z}', '$${ ${var.x}', '\n${var.x}\n'];
const literal = ['$${var.x}', '$$${var.x}', '$var.x', '$ {var.x}'];

const references = (['schedule', 'dashboard', 'routine', 'aiJob'] as const).flatMap((kind) =>
  Object.entries(fieldsOf[kind])
    .filter(([, row]) => !row.literal)
    .map(([name, row]) => ({ kind, name, row })),
);

function baseOf(kind: Kind, { destinations: [destination] = [], formats: [format] = [] }: Field): JsonObject {
  return { schedule: schedule(destination, format), dashboard, routine, aiJob }[kind];
}

test.each(references)('the schema lets $kind: $name hold a ${…}', ({ kind, name, row }) => {
  for (const text of interpolated) {
    const complete: JsonObject = name.startsWith('condition')
      ? { conditionType: text, conditionQueryMapKey: text }
      : {};
    expect(marks(file(kind, { ...baseOf(kind, row), ...complete, [name]: text })), text).toEqual([]);
  }
});

const strictFields = references.filter(({ row: { shape } }) => shape.type !== 'string' || shape.pattern !== undefined);

test.each(strictFields)('the schema does not take $${…} in $kind: $name for a reference', ({ kind, name, row }) => {
  for (const text of literal) {
    const complete: JsonObject = name === 'conditionType' ? { conditionQueryMapKey: '1' } : {};
    const fields = { ...baseOf(kind, row), ...complete, [name]: text };
    // An identifier may be any text without / and :, others any short text, a Slack id any text without commas and blanks.
    const isAnyText = ['identifier', 'topicName', 'name', 'description'].includes(name);
    const isAllowed = isAnyText || (name === 'recipients' && row.destinations?.[0] === 'slack');
    expect(marks(file(kind, fields)), text).toHaveLength(isAllowed ? 0 : 1);
  }
});

test.each(['format', 'destinationType'])('the schema does not let %s hold a ${…}', (name) => {
  expect(
    marks(
      file('schedule', {
        ...without(schedule(), 'url'),
        [name]: '${var.x}',
        ...(name === 'format' ? { url: 'https://a.example' } : {}),
      }),
    ),
  ).toEqual([`enum /schedules/it/${name}`]);
});

test.each([
  [{ schedules: { '1st': schedule() } }, 'additionalProperties /schedules'],
  [{ schedules: { 'a b': schedule() } }, 'additionalProperties /schedules'],
  [{ schedules: [] }, 'type /schedules'],
  [{ schedule: {} }, 'additionalProperties '],
  [{ moved: [{ from: 'schedules.a' }] }, 'required /moved/0'],
  [{ moved: [{ from: 'schedules.a', to: 'b' }] }, 'pattern /moved/0/to'],
  [{ adopt: [{ to: 'schedules.a', id: 'x' }] }, 'pattern /adopt/0/id'],
  [{ adopt: [{ to: 'dashboards.a', id: uuids[0] }] }, 'pattern /adopt/0/to'],
  [{ removed: [{ from: 'schedules.a', keep: false }] }, 'enum /removed/0/keep'],
  [{ defaults: { schedules: { colour: 1 } } }, 'additionalProperties /defaults/schedules'],
] as const)('the schema reports the faulty file %j', (value, mark) => {
  expect(marks(value as unknown as Json)).toContain(mark);
});
