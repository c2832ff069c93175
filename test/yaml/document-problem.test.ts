// The words for what is wrong with a document: where it is, and what was expected there.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeAjv } from '../../scripts/schemas/compile-validators.ts';
import { planSchema } from '../../src/model/plan/drift-document.ts';
import { journalSchemas } from '../../src/model/plan/journal.ts';
import { stateSchema } from '../../src/model/plan/state.ts';
import { listedSchema, recipientsSchema, remoteScheduleSchema } from '../../src/model/service/remote.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/values/json.ts';
import { instantForm } from '../../src/model/values/schema.ts';
import { logSchemas } from '../../src/state/format/log-entry.ts';
import { documentProblem } from '../../src/yaml/document-problem.ts';
import { createChange, planOf, secretChange } from '../support/report/plan-samples.ts';
import { runs } from '../support/runs/runs.ts';

test.each<[words: string, schema: JsonObject, value: unknown]>([
  ['it is not an object', { type: 'object' }, []],
  ['it is not a list', { type: 'array' }, {}],
  ['it is not a string or null', { type: ['string', 'null'] }, 1],
  ['it is not true or false', { type: 'boolean' }, 'yes'],
  ['it is not a number', { type: 'number' }, 'one'],
  ['it is not a whole number', { type: 'integer' }, 1.5],
  ['it is less than 1', { type: 'integer', minimum: 1 }, 0],
  ['it is not greater than 0', { type: 'number', exclusiveMinimum: 0 }, 0],
  ['it is greater than 9', { type: 'integer', maximum: 9 }, 10],
  ['it is empty', { type: 'string', minLength: 1 }, ''],
  ['it is not "header"', { const: 'header' }, 'footer'],
  ['it is not "a", "b" or 3', { enum: ['a', 'b', 3] }, 'c'],
  ['it is not a value that this version knows', { enum: [...'abcdefghijklmnop'] }, 'z'],
  ['it is not a time such as 2026-01-31T09:00:00Z', { type: 'string', pattern: instantForm.pattern }, 'soon'],
  ['it is not of the form ^x$', { type: 'string', pattern: '^x$' }, 'y'],
  ['/a~1b is missing', { type: 'object', required: ['a/b'] }, {}],
  ['/a~1b is not known to this version', { type: 'object', additionalProperties: false }, { 'a/b': 1 }],
  [
    '/soon is not a time such as 2026-01-31T09:00:00Z',
    { type: 'object', propertyNames: { pattern: instantForm.pattern } },
    { soon: 1 },
  ],
  ['/a/1 is not a string', { properties: { a: { items: { type: 'string' } } } }, { a: ['x', 2] }],
])('a document is refused with "%s"', (words, schema, value) => {
  expect(documentProblem(schema, value)).toBe(words);
  expect(makeAjv().compile(schema)(value)).toBe(false);
});

/** A plan as it is shown has the words of its schedules beside what is printed as JSON. */
function withoutTimings(key: string, value: unknown): unknown {
  return key === 'timings' ? undefined : value;
}

const at = '2026-01-31T09:00:00Z';
const lock = { who: 'ana', host: 'a', pid: 7, command: 'apply', since: at };
const entry = { v: 1, id: 'a', n: 3, run: 'b', at };
const samples: Readonly<Record<string, readonly [schema: JsonObject, document: Json]>> = {
  state: [
    stateSchema,
    {
      ...{
        version: 2,
        lineage: 'a',
        serial: 3,
        toolVersion: '0.1.0',
        baseUrl: 'https://a.omniapp.co/api',
        salt: 'aa==',
      },
      resources: { 'schedules.weekly': { id: 'a', attributes: {}, unread: ['subject'], createdAt: at, updatedAt: at } },
      orphans: [{ id: 'b', address: 'schedules.old', identifier: 'c', name: 'Old', since: at, replaced: true }],
      unresolved: [{ address: 'schedules.new', action: 'create', since: at, existing: ['d'] }],
    },
  ],
  plan: [planSchema, JSON.parse(JSON.stringify(planOf([createChange, secretChange]), withoutTimings))],
  intent: [
    journalSchemas.intent,
    { type: 'intent', seq: 1, kind: 'request', address: 'schedules.a', action: 'update', at },
  ],
  outcome: [journalSchemas.outcome, { type: 'outcome', seq: 1, status: 'unknown', at }],
  'lock entry': [logSchemas.lock, { ...entry, kind: 'lock', info: lock, lease: 60, over: { run: 'c', info: lock } }],
};

describe.each(Object.entries(samples))('a document: %s', (name, [schema, document]) => {
  const isValid = makeAjv().compile(schema);

  test(`a ${name} that is not damaged has no problem`, () => {
    expect(documentProblem(schema, document)).toBeUndefined();
  });

  test(`a damaged ${name} has a problem exactly where ajv finds an error`, () => {
    fc.assert(
      fc.property(damaged(document), (value) => {
        expect(documentProblem(schema, value) === undefined).toBe(isValid(value));
      }),
      { numRuns: runs(1000) },
    );
  });
});

test('documentProblem checks every keyword of the schemas of what programs write', () => {
  const schemas = [stateSchema, planSchema, ...Object.values(journalSchemas), ...Object.values(logSchemas)];
  const used = new Set([...schemas, listedSchema, remoteScheduleSchema, recipientsSchema].flatMap(keywordsIn));
  const forReaders = ['description', 'format'];
  const checked = ['additionalProperties', 'const', 'enum', 'exclusiveMinimum', 'items', 'maximum', 'minLength'];
  const others = ['minimum', 'pattern', 'properties', 'propertyNames', 'required', 'type'];
  expect([...used].filter((keyword) => ![...forReaders, ...checked, ...others].includes(keyword))).toEqual([]);
});

function keywordsIn(schema: Json): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const { properties, items, additionalProperties, propertyNames } = schema;
  const below = [...Object.values(properties ?? {}), items, additionalProperties, propertyNames];
  return [...Object.keys(schema), ...below.flatMap((each) => keywordsIn(each ?? null))];
}

/** The document with something else, nothing or something more at one place. */
function damaged(document: Json): fc.Arbitrary<Json> {
  const other = fc.oneof(
    fc.constantFrom<Json>(null, true, '', 0, -1, 1.5, 2 ** 60, [], {}, 'x', 'schedules.', at, 'create'),
    fc.jsonValue().map((value) => value as Json),
  );
  const name = fc.constantFrom('extra', '__proto__', 'constructor', 'id');
  return fc
    .tuple(fc.constantFrom(...placesIn(document)), fc.constantFrom('replace', 'remove', 'add'), other, name)
    .map(([place, how, value, key]) =>
      changed(document, place, (before) => {
        if (how === 'remove') return undefined;
        return how === 'add' && isJsonObject(before)
          ? { ...before, ...JSON.parse(`{"${key}":${JSON.stringify(value)}}`) }
          : value;
      }),
    )
    .map((value) => JSON.parse(JSON.stringify(value ?? null)) as Json);
}

function placesIn(value: Json): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, below]) => placesIn(below).map((place) => [key, ...place]))];
}

function changed(
  value: Json,
  [key, ...rest]: readonly string[],
  to: (before: Json) => Json | undefined,
): Json | undefined {
  if (key === undefined) return to(value);
  const copy = structuredClone(value) as Record<string, Json | undefined>;
  copy[key] = changed(copy[key] ?? null, rest, to);
  return copy as Json;
}
