// The committed schemas match the tables in src/model and document every field.

import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileValidators, makeAjv, strictSchemas } from '../../scripts/schemas/compile-validators.ts';
import { publishedSchemas } from '../../scripts/schemas/published-schemas.ts';
import { accepts, type SchemaName } from '../../src/declare/accepts.js';
import { errorsOf } from '../../src/declare/compiled.js';
import type { SchemaError } from '../../src/declare/findings/rule.ts';
import { commonFields, loopFields } from '../../src/model/fields/common-fields.ts';
import { configFields, environmentFields } from '../../src/model/fields/config-fields.ts';
import type { Field, Fields } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { type Kind, kindsInOrder } from '../../src/model/values/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/values/json.ts';
import { schemaText } from '../../src/report/text/render-json.ts';
import { version } from '../../src/version.ts';
import {
  arbitraryAiJob,
  arbitraryDashboard,
  arbitraryDeclarations,
  arbitraryRoutine,
  arbitrarySchedule,
  demoDashboards,
} from '../support/property/arbitrary-declarations.ts';
import { arbitraryBroken, type Declaration } from '../support/property/break-declaration.ts';
import { runs } from '../support/runs/runs.ts';

const schemas = publishedSchemas();
const ajv = makeAjv();

test.each(Object.entries(schemas))('schemas/%s is up to date (npm run generate)', (name, schema) => {
  expect(readFileSync(`schemas/${name}`, 'utf8')).toBe(schemaText(schema));
});

test('the folder schemas contains no other files', () => {
  expect(readdirSync('schemas').sort()).toEqual(Object.keys(schemas).sort());
});

test('the compiled validators are up to date (npm run generate)', () => {
  for (const [name, code] of Object.entries(compileValidators()))
    expect(readFileSync(`src/declare/${name}.js`, 'utf8')).toBe(code);
});

test.each(Object.entries(schemas))('the schema %s is draft-07 and compiles in strict mode', (_, schema) => {
  expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#');
  expect(ajv.validateSchema(schema)).toBe(true);
  expect(() => ajv.compile(schema)).not.toThrow();
});

test.each(Object.entries(schemas))('editors write no value that %s calls a default', (_, schema) => {
  expect(keywordsIn(schema)).not.toContain('default');
  expect(keywordsIn(schema)).toContain('properties');
});

test.each(['resources', 'almanac'])(
  'the title of the schema %s has the version, so that an old copy shows itself',
  (name) => {
    expect(schemas[`${name}.schema.json`]?.['title']).toContain(version);
  },
);

test('the schemas have an address of their own once package.json names a repository', () => {
  const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as JsonObject;
  const addresses = Object.values(schemas).filter((schema) => schema['$id'] !== undefined);
  expect(addresses.length > 0).toBe(repository !== undefined);
});

describe('documentation', () => {
  const tables: readonly (readonly [string, Fields])[] = [
    ...Object.values(fieldsOf).map((fields) => ['resources', fields] as const),
    ['resources', { ...commonFields, ...loopFields }],
    ['almanac', configFields],
    ['almanac', environmentFields],
  ];
  const rows = tables.flatMap(([schema, fields]) =>
    everyField(fields).map(([path, field]) => ({ schema, path, field })),
  );

  test.each(rows)('the schema $schema documents $path', ({ schema, path, field }) => {
    const name = path.split('.').at(-1) ?? '';
    const {
      description,
      markdownDescription = description,
      ...own
    } = schemasOf(name, schemas[`${schema}.schema.json`] ?? {}).find((each) =>
      String(each['markdownDescription'] ?? each['description']).includes(field.words),
    ) ?? {};
    expect(description).toContain(field.words.replaceAll('`', ''));
    if (field.default !== undefined) {
      const { default: value } = field;
      const shown = typeof value === 'string' ? value : JSON.stringify(value);
      expect(markdownDescription).toContain(`Default: \`${shown}\`.`);
    }
    if (field.shape.type !== 'choice') return;
    const { anyOf: [described] = [own] } = own as { anyOf?: JsonObject[] };
    expect(described?.['enum']).toEqual(Object.keys(field.shape.choices));
    expect(described?.['markdownEnumDescriptions']).toEqual(Object.values(field.shape.choices));
    for (const [value, words] of Object.entries(field.shape.choices))
      expect(description).toContain(`- ${value}: ${words.replaceAll('`', '')}`);
  });
});

describe('compiled and fresh validators agree', () => {
  const fresh = makeAjv();
  for (const [name, schema] of Object.entries(strictSchemas())) fresh.addSchema(schema, name);

  const agree = (name: SchemaName, value: Json) => {
    const validate = fresh.getSchema(name);
    expect(accepts[name](value)).toBe(validate?.(value));
    expect(places(errorsOf(name, value))).toEqual(places(validate?.errors));
  };
  const places = (errors: readonly SchemaError[] | null | undefined) =>
    (errors ?? []).map(({ instancePath, schemaPath, keyword }) => ({ instancePath, schemaPath, keyword }));

  const declared = (kind: Kind, of: fc.Arbitrary<JsonObject>) => of.map((fields): Declaration => ({ kind, fields }));
  const resource = fc.oneof(
    declared('schedule', arbitrarySchedule()),
    declared('schedule', arbitrarySchedule({ testNow: true })),
    declared(
      'dashboard',
      fc.constantFrom(...demoDashboards.filter(({ filters }) => filters.length > 1)).chain(arbitraryDashboard),
    ),
    declared('aiJob', arbitraryAiJob),
    declared('routine', arbitraryRoutine),
  );

  test('compiled and fresh validators agree on resources', () => {
    fc.assert(
      fc.property(resource.chain(arbitraryBroken), ({ fields }) => {
        for (const kind of kindsInOrder) agree(kind, fields);
      }),
      { numRuns: runs(500) },
    );
  });

  test('compiled and fresh validators agree on whole files', () => {
    fc.assert(
      fc.property(arbitraryDeclarations, fc.jsonValue(), (declarations, other) => {
        agree('source', declarations as unknown as JsonObject);
        agree('source', { ...declarations, moved: other as Json } as unknown as JsonObject);
        agree('config', { api: other as Json, sources: other as Json });
      }),
      { numRuns: runs(200) },
    );
  });
});

/** Every field of a table, and of the maps in it. */
function everyField(fields: Fields, above = ''): readonly (readonly [path: string, field: Field])[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { shape } = field;
    const entries = shape.type === 'object' && shape.entries?.type === 'object' ? shape.entries.fields : undefined;
    const inside = { ...(shape.type === 'object' ? shape.fields : undefined), ...entries };
    return [[above + name, field] as const, ...everyField(inside, `${above}${name}.`)];
  });
}

/** Every keyword of a schema, of those in it, and of maps that hold schemas by name. */
function keywordsIn(schema: Json): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((each: Json) => keywordsIn(each));
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => [
    keyword,
    ...(schemasByName.includes(keyword) && isJsonObject(value) ? Object.values(value) : [value]).flatMap(keywordsIn),
  ]);
}

const schemasByName = ['properties', 'patternProperties', 'definitions'];

/** Every schema of a property with this name. */
function schemasOf(name: string, schema: Json): readonly JsonObject[] {
  if (Array.isArray(schema)) return schema.flatMap((each: Json) => schemasOf(name, each));
  if (!isJsonObject(schema)) return [];
  const { properties = null } = schema;
  const own = isJsonObject(properties) ? properties[name] : undefined;
  return [
    ...(own !== undefined && isJsonObject(own) ? [own] : []),
    ...Object.values(schema).flatMap((each) => schemasOf(name, each)),
  ];
}
