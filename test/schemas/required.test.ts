// Required fields of the tables, asked for in an editor and by `validate`.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { audienceFields, loopFields } from '../../src/model/fields/common-fields.ts';
import { configFields, environmentFields } from '../../src/model/fields/config-fields.ts';
import { type Fields, requiredNames, type Shape } from '../../src/model/fields/field.ts';
import { discriminatorOf, fieldsOf } from '../../src/model/fields/fields.ts';
import { kindOfSection, sections } from '../../src/model/values/address.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { missingWords } from '../../src/model/values/words.ts';
import { diagnosticsOf } from '../support/apply/loading.ts';
import { openEditor } from '../support/editor.ts';

/** A record that lacks what its table marks as required. */
interface Lacking {
  readonly path: string;
  readonly value: JsonObject;
  readonly missing: readonly string[];
}

/** `around`: a value of the whole file that holds this one. */
function recordsIn(fields: Fields, path: string, around: (value: JsonObject) => JsonObject, by?: string): Lacking[] {
  const below = Object.entries(fields).flatMap(([name, { shape }]) =>
    recordsAt(shape, `${path}.${name}`, (value) => around({ [name]: value })),
  );
  const missing = requiredNames(fields).map((name) => missingWords(name, by));
  return missing.length === 0 ? below : [{ path, value: around({}), missing }, ...below];
}

function recordsAt(shape: Shape, path: string, around: (value: JsonObject) => JsonObject): Lacking[] {
  switch (shape.type) {
    case 'list':
      return recordsAt(shape.items, path, (value) => around([value] as unknown as JsonObject));
    case 'textOrRecord':
      return recordsIn(shape.fields, path, around);
    case 'object': {
      const [name = 'any'] = Object.keys(shape.names ?? {});
      const entries = shape.entries
        ? recordsAt(shape.entries, `${path}.${name}`, (each) => around({ [name]: each }))
        : [];
      return [...recordsIn(shape.fields ?? {}, path, around), ...entries];
    }
    case 'oneOf': {
      const { by, records } = shape;
      const ofRecords = Object.entries(records).flatMap(([name, { fields }]) =>
        recordsIn(fields, `${path} (${name})`, (value) => around({ [by]: name, ...value }), `${by} ${name}`),
      );
      return [...recordsIn({ [by]: discriminatorOf(shape) }, path, around), ...ofRecords];
    }
    default:
      return [];
  }
}

const ofSections = sections.flatMap((section) => {
  const inFile = (value: JsonObject) => ({ [section]: { weekly: value } });
  const rows = Object.entries(fieldsOf[kindOfSection[section]]);
  const choices = new Set(rows.flatMap(([, field]) => field.destinations ?? []));
  const of = (to?: string) =>
    Object.fromEntries(
      rows.filter(([, { destinations: own }]) => (to === undefined ? !own : own?.some((each) => each === to))),
    );
  return [
    ...recordsIn({ ...of(), ...loopFields }, section, inFile),
    ...[...choices].flatMap((to) =>
      recordsIn(
        of(to),
        `${section} (${to})`,
        (value) => inFile({ destinationType: to, ...value }),
        `destinationType ${to}`,
      ),
    ),
  ];
});

const inSources = [
  ...ofSections,
  ...recordsIn(audienceFields, 'audiences', (value) => ({ audiences: { board: value } })),
];
const inConfig = [
  ...recordsIn(configFields, 'almanac.yaml', (value) => value),
  ...recordsIn(environmentFields, 'environments', (value) => ({ environments: { staging: value } })),
];

test('the tables of fields mark what is required at these places', () => {
  expect([...inSources, ...inConfig].map(({ path, missing }) => `${path}: ${missing.length}`)).toMatchInlineSnapshot(`
    [
      "schedules: 6",
      "schedules.accept.no-sources: 1",
      "schedules.forEachRow: 2",
      "schedules (webhook): 1",
      "schedules (email): 2",
      "schedules (slack): 2",
      "schedules (sftp): 4",
      "schedules (s3): 3",
      "dashboards: 1",
      "dashboards.accept.no-sources: 1",
      "dashboards.forEachRow: 2",
      "routines: 6",
      "routines.destination: 1",
      "routines.destination (slack): 2",
      "routines.accept.no-sources: 1",
      "routines.forEachRow: 2",
      "aiJobs: 2",
      "aiJobs.accept.no-sources: 1",
      "aiJobs.forEachRow: 2",
      "audiences.accept.recipient-not-inside: 1",
      "almanac.yaml.safety.rows: 2",
    ]
  `);
});

const cases = [
  ...inSources.map((record) => ({ ...record, file: 'schedules/a.yaml', schema: 'resources' })),
  ...inConfig.map((record) => ({ ...record, file: 'almanac.yaml', schema: 'almanac' })),
];

test.each(cases)('an editor and validate ask alike for what $path lacks', async ({ value, missing, file, schema }) => {
  const text = stringify(value);
  const shown = (await openEditor(resolve(`schemas/${schema}.schema.json`)).diagnose(text))
    .filter(({ message }) => missing.includes(message))
    .map(({ line, column, message }) => `${line + 1}:${column + 1} ${message}`);
  const found = (await diagnosticsOf({ 'schedules/a.yaml': '', 'almanac.yaml': '', [file]: text }))
    .filter(({ code }) => code === 'required-field')
    .flatMap(({ line, column, message }) =>
      missing
        .filter((words) => message.includes(words.slice(0, words.indexOf(' '))))
        .map((words) => `${line}:${column} ${words}`),
    );
  expect(shown.map((each) => each.replace(/^\S+ /, '')).sort()).toEqual([...missing].sort());
  expect(found.sort()).toEqual(shown.sort());
});
