// The published schemas are read alike by validators that have nothing in common: whoever checks files in another way than
// with Almanac gets the same answer.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { registerSchema, type SchemaObject, unregisterSchema, validate } from '@hyperjump/json-schema/draft-07';
import { afterAll, expect, test } from 'vitest';
import { makeAjv } from '../../scripts/schemas/compile-validators.ts';
import { publishedSchemas } from '../../scripts/schemas/published-schemas.ts';
import { destinations, formats } from '../../src/model/fields/field.ts';
import { sections } from '../../src/model/values/address.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { aiJob, dashboard, hook, mail, routine, sftp, slack } from '../support/vocabulary.ts';
import { makeFolder } from '../support/workspace.ts';

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

const uriOf = (name: Name) => `https://almanac.invalid/${name}.schema.json`;
for (const name of names) registerSchema(schemas[`${name}.schema.json`] as SchemaObject, uriOf(name));
afterAll(() => {
  for (const name of names) unregisterSchema(uriOf(name));
});

test('there are enough texts of both kinds', () => {
  expect(valid.length).toBeGreaterThanOrEqual(48);
  expect(faulty.length + faultyConfigs.length).toBeGreaterThanOrEqual(61);
});

test('ajv says of every text what is true', () => {
  const validators = Object.fromEntries(
    names.map((name) => [name, makeAjv().compile(schemas[`${name}.schema.json`] ?? {})]),
  );
  expect(words(texts.map(([name, value]) => validators[name]?.(value) === true))).toEqual([]);
});

test('hyperjump says of every text what is true', async () => {
  const validators = { resources: await validate(uriOf('resources')), almanac: await validate(uriOf('almanac')) };
  expect(words(texts.map(([name, value]) => validators[name](value as never).valid))).toEqual([]);
});

const python = spawnSync('python3', ['-c', 'import jsonschema'], { stdio: 'ignore' }).status === 0;

test.runIf(python)('the validator of Python says of every text what is true', () => {
  const folder = makeFolder({ 'texts.json': JSON.stringify(texts) });
  const script = `import json, sys
from jsonschema import Draft7Validator
validators = {name: Draft7Validator(json.load(open('schemas/' + name + '.schema.json', encoding='utf8'))) for name in ('resources', 'almanac')}
print(json.dumps([validators[name].is_valid(value) for name, value, _ in json.load(open(sys.argv[1], encoding='utf8'))]))`;
  const { stdout, stderr } = spawnSync('python3', ['-c', script, join(folder.path, 'texts.json')], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(words(JSON.parse(stdout) as boolean[])).toEqual([]);
});
