// The published schema has every rule that an editor can know. The schema finds one error for each fault; the validator
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
import { aiJob, bucket, dashboard, hook, mail, routine, sftp, slack, weekly } from '../support/vocabulary.ts';

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
  slack,
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
const to = (destination: Json): JsonObject => ({ destination });
const channel = { type: 'slack', recipientId: 'C0123456789', slackRecipientType: 'channel' };
const group = '0aea1b4c-ebfd-4f6a-bdf6-d7edfd798b34';

type Fault = readonly [code: Code, what: string, kind: Kind, fields: JsonObject];
/** A field that is undefined is left out. */
type Change = Readonly<Record<string, Json | undefined>>;

const without = (...names: readonly string[]): readonly Change[] => names.map((name) => ({ [name]: undefined }));

/** What each of these changes makes of valid fields has that fault, and no other. */
function faultsOf(kind: Kind, base: JsonObject, changes: Partial<Record<Code, readonly Change[]>>): readonly Fault[] {
  return Object.entries(changes).flatMap(([code, each]) =>
    each.map((change): Fault => {
      const what = JSON.stringify(change, (_, value) => value ?? 'nothing');
      const fields = JSON.parse(JSON.stringify({ ...base, ...change })) as JsonObject;
      return [code as Code, what, kind, fields];
    }),
  );
}

const notIds = ['Sales model', ' 770e8400-e29b-41d4-a716-446655440002', 'https://a.example/x', ''];
const noId = (name: string): readonly Change[] => notIds.map((value) => ({ [name]: value }));

const faults: readonly Fault[] = [
  ...faultsOf('schedule', hook({ format: 'csv' }), {
    'required-field': without('identifier', 'name', 'schedule', 'timezone', 'format', 'destinationType'),
    'unknown-field': [{ colour: 1 }, { Name: 'x' }, { lifecycle: { protect: true } }, { meta: { owners: 'ana' } }],
    'unknown-value': [
      { format: 'html' },
      { destinationType: 'gcs', url: undefined },
      { destinationType: 1, url: undefined },
      { conditionQueryMapKey: '1', conditionType: 'PRESENT' },
    ],
    'wrong-type': [
      ...[{ name: 1 }, { name: '' }, { identifier: '' }, { timezone: '' }, { testNow: 0 }, { paused: 'yes' }],
      ...[{ filterConfig: [] }, { filterConfig: { a: { values: 'x' } } }, { maxRowLimit: 1.5 }, { maxRowLimit: '10' }],
      ...[{ extra: 'x' }, { lifecycle: { ignoreChanges: ['name', 'name'] } }],
      ...[{ meta: { tags: ['a b'] } }, { meta: { owner: 'a,b' } }, { meta: 'x' }],
    ],
    'invalid-cron': [{ schedule: '0 9 * * MON' }, { schedule: '0 9 * * * *' }],
    'condition-incomplete': [{ conditionType: 'RESULTS_PRESENT' }, { conditionQueryMapKey: '1' }],
    'test-not-supported': [{ testNow: true, conditionType: 'RESULTS_CHANGED', conditionQueryMapKey: '1' }],
    'invalid-url': [{ url: 'ftp://a.example' }, { url: 'hooks.example.com' }, { url: '' }],
    'invalid-id': noId('userId'),
    'filter-shape': [{ filterConfig: { a: 'x' } }, { filterConfig: { a: ['x'] } }],
  }),
  ...faultsOf('schedule', hook({ format: 'json' }), {
    'query-required': [{ enableFormatting: true }, { overrideRowLimit: true }],
  }),
  ...faultsOf('schedule', hook({ format: 'xlsx' }), { 'query-required': [{ overrideRowLimit: true }] }),
  ...faultsOf('schedule', hook({ format: 'pdf' }), {
    'unknown-value': [{ paperFormat: 'a44' }, { paperOrientation: 'Portrait' }],
    'wrong-type': [{ hideTitle: 'false' }],
    'fit-page-expands': [{ paperFormat: 'fit_page', expandTablesToShowAllRows: true }],
  }),
  ...destinations.flatMap((destination) =>
    faultsOf('schedule', schedule(destination), { 'required-field': without(...required[destination]) }),
  ),
  ...faultsOf('schedule', mail(), {
    'wrong-type': [{ subject: '' }, { recipients: 'ana@example.com' }, { recipients: [] }, { recipients: [1] }],
    'invalid-email': [{ recipients: ['ana'] }, { recipients: ['Ana <a@b.example>'] }],
  }),
  ...faultsOf('schedule', slack(), {
    'unknown-value': [{ slackRecipientType: 'chanel' }, { slackRecipientType: null }],
    'one-slack-channel': ['C1,C2', ['C1', 'C2'], ['C1,C2'], 'C1, C2'].map((recipients) => ({ recipients })),
  }),
  ...faultsOf('schedule', slack({ slackRecipientType: 'users' }), {
    'wrong-type': [{ recipients: ',' }, { recipients: [] }],
  }),
  ...faultsOf('schedule', schedule('sftp'), {
    'wrong-type': [{ port: '22' }, { port: 0 }, { port: 65_536 }, { path: '' }],
  }),
  ...faultsOf('schedule', bucket(), {
    'test-not-supported': [{ testNow: true }],
    'invalid-bucket-name': [{ bucketName: 'ab' }, { bucketName: 'Acme' }, { bucketName: 'a'.repeat(64) }],
    'invalid-role-arn': [{ roleArn: 'omni' }, { roleArn: 'arn:aws:iam::role/omni' }],
    'wrong-type': [{ region: '' }],
    'invalid-filename': [{ filename: '' }],
  }),

  ...faultsOf('dashboard', dashboard(), {
    'required-field': without('identifier'),
    'nothing-to-update': [
      { filters: undefined },
      { filters: {} },
      { filters: undefined, filterOrder: [] },
      { filters: {}, controls: {}, filterOrder: [] },
    ],
    'wrong-type': [
      ...[{ filters: [] }, { filters: { a: { values: 'x' } } }, { filters: { a: { values: [1] } } }],
      ...[{ controls: { a: [] } }, { filterOrder: ['a', 'a'] }, { filterOrder: [1] }, { filterOrder: 'a' }],
      ...[{ clearExistingDraft: 'true' }, { userId: 1 }],
    ],
    'filter-shape': [{ filters: { a: 'x' } }, { filters: { a: ['x'] } }],
    'unknown-field': [{ filter: {} }, { schedule: weekly }],
  }),

  ...faultsOf('aiJob', aiJob(), {
    'required-field': without('modelId', 'prompt'),
    'wrong-type': [{ prompt: '' }, { topicName: 1 }, { topicName: 'x'.repeat(257) }, { webhookMetadata: [] }],
    'invalid-id': ['modelId', 'conversationId', 'branchId', 'userId'].flatMap(noId),
    'invalid-url': [{ webhookUrl: 'hooks.example.com' }],
    'progress-needs-webhook': [{ progressWebhookEnabled: true }],
  }),

  ...faultsOf('routine', routine(), {
    'required-field': [
      ...without('modelId', 'name', 'prompt', 'schedule', 'timezone', 'destination'),
      to({ recipientEmails: ['ana@example.com'] }),
      to({ type: 'email' }),
      to({ type: 'email', recipientEmails: [], userGroupIds: [] }),
      to({ type: 'slack', recipientId: 'C0123456789' }),
    ],
    'unknown-value': [to({ type: 'webhook' })],
    'field-not-for-destination': [
      to({ type: 'email', userGroupIds: [group], slackRecipientType: 'users' }),
      to({ ...channel, userGroupIds: [group] }),
    ],
    'wrong-type': [
      ...[{ name: 'x'.repeat(513) }, { description: 'x'.repeat(2_001) }, { topicName: 'x'.repeat(257) }, to([])],
      to({ type: 'email', recipientEmails: Array.from({ length: 101 }, (_, index) => `a${index}@example.com`) }),
    ],
    'invalid-id': [{ branchId: 'feature/x' }, to({ type: 'email', userGroupIds: ['Sales team'] })],
    'unknown-field': [{ paused: true }, { format: 'pdf' }, to({ type: 'email', cc: [] })],
  }),
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
      .map((format) => [name, format, 'field-not-for-format', { ...hook({ format }), [name]: value }] as const),
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
  ['dashboard', dashboard()] as const,
  ['aiJob', aiJob()] as const,
  ['routine', routine()] as const,
  ['routine', routine(to(channel))] as const,
  ['routine', routine(to({ type: 'email', userGroupIds: [group] }))] as const,
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
  return { schedule: schedule(destination, format), dashboard: dashboard(), routine: routine(), aiJob: aiJob() }[kind];
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
    // An identifier may be any text without / and :, an address any without a port, others any short text, a Slack id any text
    // without commas and blanks.
    const isAnyText = ['identifier', 'address', 'topicName', 'name', 'description'].includes(name);
    const isAllowed = isAnyText || (name === 'recipients' && row.destinations?.[0] === 'slack');
    expect(marks(file(kind, fields)), text).toHaveLength(isAllowed ? 0 : 1);
  }
});

test.each(['format', 'destinationType'])('the schema does not let %s hold a ${…}', (name) => {
  const fields = hook({ url: name === 'format' ? 'https://a.example' : undefined, [name]: '${var.x}' });
  expect(marks(file('schedule', fields))).toEqual([`enum /schedules/it/${name}`]);
});

test.each([
  [{ schedules: { '1st': schedule() } }, 'pattern /schedules'],
  [{ schedules: { 'a b': schedule() } }, 'pattern /schedules'],
  [{ schedules: [] }, 'type /schedules'],
  [{ schedule: {} }, 'additionalProperties '],
  [{ moved: [{ from: 'schedules.a' }] }, 'required /moved/0'],
  [{ moved: [{ from: 'schedules.a', to: 'b' }] }, 'pattern /moved/0/to'],
  [{ adopt: [{ to: 'schedules.a', id: 'x' }] }, 'pattern /adopt/0/id'],
  [{ adopt: [{ to: 'dashboards.a', id: notIds[0] }] }, 'pattern /adopt/0/to'],
  [{ removed: [{ from: 'schedules.a', keep: false }] }, 'enum /removed/0/keep'],
  [{ defaults: { schedules: { colour: 1 } } }, 'additionalProperties /defaults/schedules'],
] as const)('the schema reports the faulty file %j', (value, mark) => {
  expect(marks(value as unknown as Json)).toContain(mark);
});
