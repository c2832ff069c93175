// Validators that have nothing in common read the published schemas alike. Each has its defaults but for what
// docs/editors.md says. Without python3-jsonschema its tests are left out with a warning, but not in CI.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { registerSchema, type SchemaObject, unregisterSchema, validate } from '@hyperjump/json-schema/draft-07';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { Validator as NpmValidator } from 'jsonschema';
import { afterAll, expect, test } from 'vitest';
import { editorVocabulary } from '../../scripts/schemas/compile-validators.ts';
import { publishedSchemas } from '../../scripts/schemas/published-schemas.ts';
import { destinations, formats } from '../../src/model/fields/field.ts';
import { sections } from '../../src/model/values/address.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { aiJob, dashboard, hook, mail, routine, sftp, slack } from '../support/vocabulary.ts';

const schemas = publishedSchemas();
const names = ['resources', 'almanac'] as const;
type Name = (typeof names)[number];
type Text = readonly [schema: Name, value: Json];

const schedules = (...each: readonly JsonObject[]): JsonObject => ({
  schedules: Object.fromEntries(each.map((fields, index) => [`s${index}`, fields])),
});
const own = {
  webhook: { url: 'https://hooks.example.com/in' },
  email: { recipients: ['ana@example.com'], subject: 'Sales' },
  slack: { recipients: 'C0123456789', slackRecipientType: 'channel' },
  sftp: { address: 'sftp.example.com', port: 22, username: 'reports', path: '/in' },
  s3: { bucketName: 'acme-reports', region: 'eu-west-1', roleArn: 'arn:aws:iam::123456789012:role/omni' },
} as const;
const { url: _, destinationType: __, ...bare } = hook({ format: 'csv' });
const to = (destination: keyof typeof own, more: JsonObject = {}): JsonObject => ({
  ...bare,
  destinationType: destination,
  ...own[destination],
  ...more,
});

const without = (fields: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));

const sources: readonly Json[] = [
  ...destinations.flatMap((destination) => formats.map((format) => schedules(to(destination, { format })))),
  ...sections.map((section) => ({ [section]: null })),
  ...[{}, null, { 'x-own': [1] }, { moved: [{ from: 'schedules.a', to: 'schedules.b' }] }],
  ...[{ dashboards: { a: dashboard() } }, { routines: { a: routine() } }, { aiJobs: { a: aiJob() } }],
  {
    defaults: { schedules: { ...bare, recipients: ['ana@example.com'] } },
    schedules: { a: { destinationType: 'email', subject: 'x' } },
  },
  {
    defaults: { schedules: { format: 'pdf' } },
    schedules: { a: without(to('email', { paperFormat: 'a4' }), 'format') },
  },
  schedules(to('email', { timezone: '${var.zone}', fanOut: '${each.x}' }), mail(), slack(), sftp()),
  { audiences: { board: { emails: ['ana@example.com'] } } },
];
const configs: readonly Json[] = [
  ...[null, {}, { api: { baseUrl: 'https://acme.example.com' } }, { state: { backend: 'git', branch: 'state' } }],
  ...[{ environments: { dev: { state: { path: 'dev.json' } } } }, { defaults: { schedules: { timezone: 'UTC' } } }],
  ...[{ safety: { rows: { filters: ['region'], allow: 'tenants.csv' } } }, { checks: { 'cron-too-frequent': 'off' } }],
];
const valid: readonly Text[] = [
  ...sources.map((value) => ['resources', value] as const),
  ...configs.map((value) => ['almanac', value] as const),
];

const faulty: readonly Text[] = [
  ...destinations.flatMap((destination) =>
    ['name', 'format', 'destinationType', ...Object.keys(own[destination])].map((name) =>
      schedules(without(to(destination), name)),
    ),
  ),
  ...destinations.flatMap((destination) =>
    destinations.filter((other) => other !== destination).map((other) => schedules(to(destination, own[other]))),
  ),
  ...['csv', 'json', 'xlsx', 'png', 'link_only'].map((format) => schedules(to('email', { format, paperFormat: 'a4' }))),
  ...[
    { colour: 1 },
    { Name: 'x' },
    { timezone: 1 },
    { format: 'html' },
    { schedule: '0 9 * * MON' },
    { paused: 'yes' },
  ].map((more) => schedules(to('email', more as unknown as JsonObject))),
  ...[{ conditionType: 'RESULTS_PRESENT' }, { format: 'json', enableFormatting: true }].map((more) =>
    schedules(to('webhook', more as unknown as JsonObject)),
  ),
  ...[schedules(to('s3', { testNow: true })), schedules(to('slack', { recipients: 'C1,C2' }))],
  ...[
    { schedules: [] },
    { schedules: { '1st': to('email') } },
    { schedule: {} },
    { dashboards: { a: { identifier: 'x' } } },
  ],
  ...[{ schedules: { a: null } }, { audiences: { a: {} } }, { removed: [{ from: 'schedules.a', keep: false }] }],
  { defaults: { schedules: { colour: 1 } } },
  { ...schedules(without(to('email'), 'subject')), defaults: { schedules: { name: 'x' } } },
].map((value): Text => ['resources', value as unknown as Json]);
const faultyConfigs: readonly Text[] = [
  ...[{ api: 1 }, { environments: { '1st': {} } }, { state: { backend: 'git', path: 'x' } }, { safety: { rows: {} } }],
  ...[{ defaults: { schedules: [] } }, { colour: 1 }],
].map((value): Text => ['almanac', value as unknown as Json]);

const texts: readonly (readonly [...Text, boolean])[] = [
  ...valid.map((each) => [...each, true] as const),
  ...[...faulty, ...faultyConfigs].map((each) => [...each, false] as const),
];
const expected = texts.map(([, , isValid]) => isValid);
const words = (answers: readonly boolean[]) =>
  answers.flatMap((answer, index) =>
    answer === expected[index] ? [] : [`${answer}: ${JSON.stringify(texts[index])}`],
  );

const everySchema = Object.keys(schemas);
const uriOf = (file: string) => `https://almanac.invalid/${file}`;
for (const file of everySchema) registerSchema(schemas[file] as SchemaObject, uriOf(file));
afterAll(() => {
  for (const file of everySchema) unregisterSchema(uriOf(file));
});

/** One text after the other, by a file in `schemas`. */
type Validator = (asked: readonly (readonly [file: string, value: Json])[]) => Promise<readonly boolean[]>;

const scriptForPython = `import json, sys
from jsonschema import Draft7Validator
asked = json.load(sys.stdin)
validators = {}
for file in {file for file, _ in asked}:
    schema = json.load(open('schemas/' + file, encoding='utf8'))
    Draft7Validator.check_schema(schema)
    validators[file] = Draft7Validator(schema)
print(json.dumps([validators[file].is_valid(value) for file, value in asked]))`;

const hasPython = spawnSync('python3', ['-c', 'import jsonschema'], { stdio: 'ignore' }).status === 0;
if (!hasPython) console.warn('python3-jsonschema is not installed, so it is not asked how it reads the schemas.');

const asThePageSays = () => addFormats.default(new Ajv({ strict: false, logger: false }));

const validators: Readonly<Record<string, Validator>> = {
  ajv: async (asked) => {
    const ajv = asThePageSays();
    for (const file of everySchema) ajv.addSchema(schemas[file] ?? {}, file);
    return asked.map(([file, value]) => ajv.validate(file, value));
  },
  hyperjump: (asked) =>
    Promise.all(asked.map(async ([file, value]) => (await validate(uriOf(file), value as never)).valid)),
  'jsonschema of npm': async (asked) => {
    const reader = new NpmValidator();
    return asked.map(([file, value]) => reader.validate(value, (schemas[file] ?? {}) as object).valid);
  },
  ...((hasPython || process.env['CI'] !== undefined) && {
    'jsonschema of Python': async (asked) => {
      const { stdout, stderr } = spawnSync('python3', ['-c', scriptForPython], {
        input: JSON.stringify(asked),
        encoding: 'utf8',
        maxBuffer: 1e9,
      });
      expect(stderr).toBe('');
      return JSON.parse(stdout) as readonly boolean[];
    },
  }),
};

test('there are enough texts of both kinds', () => {
  expect(valid.length).toBeGreaterThanOrEqual(48);
  expect(faulty.length + faultyConfigs.length).toBeGreaterThanOrEqual(61);
});

test.each(Object.entries(validators))('%s accepts the valid texts and refuses the faulty ones', async (_, ask) => {
  const answers = await ask(texts.map(([name, value]) => [`${name}.schema.json`, value]));
  expect(words(answers)).toEqual([]);
});

test.each(Object.entries(validators))(
  '%s loads every published schema, and takes no list for a document',
  async (_, ask) => {
    expect(await ask(everySchema.map((file) => [file, [1]]))).toEqual(everySchema.map(() => false));
  },
);

test.each(Object.entries(validators))('%s treats a final line break as docs/editors.md says', async (name, ask) => {
  const broken: readonly JsonObject[] = [
    { schedule: '0 9 ? * MON *\n' },
    { accept: { x: { reason: 'x', until: '٢٠٢٦-٠١-٠١' } } },
  ];
  const answers = await ask(broken.map((more) => ['resources.schema.json', schedules(to('email', more))]));
  expect(answers).toEqual([name === 'jsonschema of Python', false]);
});

test('strict ajv objects only to the keywords of editors, which docs/editors.md lists', () => {
  const page = readFileSync('docs/editors.md', 'utf8');
  for (const keyword of editorVocabulary) expect(page).toContain(`\`${keyword}\``);
  for (const [file, schema] of Object.entries(schemas)) {
    const ajv = addFormats.default(new Ajv({ logger: false })).addVocabulary([...editorVocabulary]);
    expect(() => ajv.compile(schema), file).not.toThrow();
  }
});
