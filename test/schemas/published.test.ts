// The committed schemas match the tables in src/model and document every field.

import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileValidators, makeAjv, strictSchemas } from '../../scripts/schemas/compile-validators.ts';
import { publishedSchemas } from '../../scripts/schemas/published-schemas.ts';
import * as compiled from '../../src/declare/compiled.js';
import type { Validator } from '../../src/declare/findings/rule.ts';
import { configFields, environmentFields } from '../../src/model/fields/config-fields.ts';
import type { Destination, Field, Fields } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/values/json.ts';
import { schemaText } from '../../src/report/text/schema-text.ts';
import {
  arbitraryAiJob,
  arbitraryDeclarations,
  arbitrarySchedule,
} from '../support/property/arbitrary-declarations.ts';
import { arbitraryBroken, type Declaration } from '../support/property/break-declaration.ts';
import { runs } from '../support/runs/runs.ts';

const schemas = publishedSchemas();

test.each(Object.entries(schemas))('schemas/%s is up to date (npm run generate)', (name, schema) => {
  expect(readFileSync(`schemas/${name}`, 'utf8')).toBe(schemaText(schema));
});

test('the folder schemas contains no other files', () => {
  expect(readdirSync('schemas').sort()).toEqual(Object.keys(schemas).sort());
});

test('the compiled validators are up to date (npm run generate)', () => {
  expect(readFileSync('src/declare/compiled.js', 'utf8')).toBe(compileValidators());
});

test.each(Object.entries(schemas))('the schema %s is draft-07 and compiles in strict mode', (_, schema) => {
  expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#');
  expect(makeAjv().validateSchema(schema)).toBe(true);
  expect(() => makeAjv().compile(schema)).not.toThrow();
});

describe('documentation', () => {
  const resources = readSchema('resources.schema.json');
  const config = readSchema('almanac.schema.json');
  const definitions = parts(resources, 'definitions');
  const ownParts = parts(config, 'properties');
  const environment = parts(firstOf(parts(ownParts, 'environments', 'allOf', '0', 'patternProperties')), 'properties');

  const places: readonly (readonly [name: string, fields: Fields, schema: JsonObject])[] = [
    ['schedule', fieldsOf.schedule, parts(definitions, 'schedule')],
    ['dashboard', fieldsOf.dashboard, parts(definitions, 'dashboard')],
    ['aiJob', fieldsOf.aiJob, parts(definitions, 'aiJob')],
    ['almanac.yaml', configFields, config],
    ['environments', environmentFields, { properties: environment }],
  ];
  const rows = places.flatMap(([place, fields, schema]) =>
    everyField(fields, schema).map((row) => ({ ...row, path: `${place}: ${row.path}` })),
  );

  test.each(rows)('the published schema documents $path', ({ field, schema }) => {
    expect(schema['markdownDescription']).toContain(field.words);
    expect(schema['description']).toContain(field.words.replaceAll('`', ''));
    expect(schema['default']).toEqual(field.default);
    if (field.default !== undefined) {
      const { default: value } = field;
      const shown = typeof value === 'string' ? value : JSON.stringify(value);
      expect(schema['markdownDescription']).toContain(`Default: \`${shown}\`.`);
    }
    if (field.shape.type !== 'choice') return;
    const described = 'anyOf' in schema ? parts(schema, 'anyOf', '0') : schema;
    expect(described['enum']).toEqual(Object.keys(field.shape.choices));
    expect(described['markdownEnumDescriptions']).toEqual(Object.values(field.shape.choices));
    for (const [value, words] of Object.entries(field.shape.choices)) {
      expect(schema['description']).toContain(`- ${value}: ${words.replaceAll('`', '')}`);
    }
  });
});

describe('compiled and fresh validators agree', () => {
  const fresh = makeAjv();
  for (const [name, schema] of Object.entries(strictSchemas())) fresh.addSchema(schema, name);

  const agree = (name: string, validator: Validator, value: Json) => {
    const validate = fresh.getSchema(name);
    expect(validator(value)).toBe(validate?.(value));
    expect(places(validator.errors)).toEqual(places(validate?.errors));
  };
  const places = (errors: Validator['errors']) =>
    errors?.map(({ instancePath, schemaPath, keyword }) => ({ instancePath, schemaPath, keyword })) ?? null;

  const whole = fc.oneof(arbitrarySchedule(), arbitrarySchedule({ testNow: true }));
  const schedule = whole.map((fields): Declaration => ({ kind: 'schedule', fields }));
  const aiJob = arbitraryAiJob.map((fields): Declaration => ({ kind: 'aiJob', fields }));

  test('compiled and fresh validators agree on resources', () => {
    const validators = {
      schedule: compiled.validateSchedule,
      aiJob: compiled.validateAiJob,
      dashboard: compiled.validateDashboard,
    };
    fc.assert(
      fc.property(fc.oneof(schedule, aiJob).chain(arbitraryBroken), ({ kind, fields }) => {
        agree(kind, validators[kind], fields);
        agree('dashboard', compiled.validateDashboard, fields);
      }),
      { numRuns: runs(500) },
    );
  });

  test('compiled and fresh validators agree on whole files', () => {
    fc.assert(
      fc.property(arbitraryDeclarations, fc.jsonValue(), (declarations, other) => {
        agree('source', compiled.validateSource, declarations as unknown as JsonObject);
        agree('source', compiled.validateSource, { ...declarations, moved: other as Json } as unknown as JsonObject);
        agree('config', compiled.validateConfig, { api: other as Json, sources: other as Json });
      }),
      { numRuns: runs(200) },
    );
  });
});

interface Row {
  readonly path: string;
  readonly field: Field;
  readonly schema: JsonObject;
}

/** Every field of a table, and of the maps in it, with all the places of its schema. */
function everyField(fields: Fields, schema: JsonObject, above = ''): Row[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = above + name;
    const found = schemasOf(name, schema);
    if (found.length === 0) throw new Error(`${path} is not documented`);
    return found.flatMap((own) => [
      { path, field: { ...field, shape: shapeIn(field) }, schema: own },
      ...inside(field, own, path),
    ]);
  });
}

function inside({ shape }: Field, schema: JsonObject, path: string): Row[] {
  if (shape.type !== 'object') return [];
  if (shape.fields !== undefined) return everyField(shape.fields, schema, `${path}.`);
  const entries = shape.entries;
  if (entries?.type !== 'object' || entries.fields === undefined) return [];
  return everyField(entries.fields, parts(schema, 'additionalProperties'), `${path}.*.`);
}

/** The place of a field: under its destination or format, or else under all. */
function schemasOf(name: string, schema: JsonObject): JsonObject[] {
  const branches = [schema['allOf']].flat().flatMap((branch) => (isJsonObject(branch) ? [parts(branch, 'then')] : []));
  return [schema, ...branches].flatMap(({ properties }) => {
    const own = isJsonObject(properties) ? properties[name] : undefined;
    const isDocumented = isJsonObject(own) && 'markdownDescription' in own;
    return isDocumented ? [own] : [];
  });
}

function shapeIn(field: Field): Field['shape'] {
  const destination: Destination | undefined = field.destinations?.[0];
  return (destination && field.shapeFor?.[destination]) ?? field.shape;
}

function readSchema(name: string): JsonObject {
  return JSON.parse(readFileSync(`schemas/${name}`, 'utf8')) as JsonObject;
}

function parts(value: JsonObject, ...path: string[]): JsonObject {
  let found: unknown = value;
  for (const key of path) found = (found as Record<string, unknown> | undefined)?.[key];
  return isJsonObject(found) ? found : {};
}

function firstOf(value: JsonObject): JsonObject {
  const [first] = Object.values(value);
  return isJsonObject(first) ? first : {};
}
