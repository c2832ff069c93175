// The schema of `state` in almanac.yaml. Which fields apply depends on the backend, in the form that resource-schema.ts
// describes: editors then offer exactly the fields that fit, and each fault is exactly one error. The compiled form says
// the same and holds each field once, because every command loads it.

import { type Backend, backends, type Field, type Fields } from '../../src/model/fields/field.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { codeList } from '../../src/model/values/words.ts';
import { fieldSchema, notFor, orNothing, type SchemaForm } from './shape-schema.ts';

/** An environment that names no backend has the one of the shared part, which its own schema cannot know. */
type Part = 'shared part' | 'environment';

type Row = readonly [name: string, field: Field];

export function stateSchema(section: Field, fields: Fields, form: SchemaForm, part: Part): JsonObject {
  const rows: readonly Row[] = Object.entries(fields);
  const dependent = rows.filter(([, field]) => field.backends !== undefined);
  const properties = rows.map(([name, field]) => [
    name,
    field.backends === undefined ? fieldSchema(field, form) : { doNotSuggest: true },
  ]);
  const { type: _, ...map } = fieldSchema({ ...section, shape: { type: 'object' } }, form);
  const allOf = form.documented ? offered(dependent, form, part) : checked(dependent, form, part);
  return orNothing(
    'object',
    { ...map, properties: Object.fromEntries(properties), additionalProperties: false, allOf },
    form,
  );
}

/** By backend, the fields to offer. */
function offered(dependent: readonly Row[], form: SchemaForm, part: Part): JsonObject[] {
  const whereUnknown = { if: { not: { required: ['backend'] } }, then: { properties: schemasOf(dependent, form) } };
  return [
    ...(part === 'environment' ? [whereUnknown] : []),
    ...backends.map((backend) => ({
      if: where([backend], part),
      then: {
        properties: schemasOf(
          dependent.filter(([, field]) => field.backends?.includes(backend)),
          form,
        ),
      },
    })),
    ...dependent.map((row) => ({ if: where(othersOf(row), part), then: refusal(row) })),
  ];
}

/** By the backends that some fields share: elsewhere they are refused, and there their values are checked. */
function checked(dependent: readonly Row[], form: SchemaForm, part: Part): JsonObject[] {
  const groups = new Map<string, Row[]>();
  for (const row of dependent) groups.set(othersOf(row).join(), [...(groups.get(othersOf(row).join()) ?? []), row]);
  return [...groups.values()].map((rows) => ({
    if: where(rows.slice(0, 1).flatMap(othersOf), part),
    then: { allOf: rows.map(refusal) },
    else: { properties: schemasOf(rows, form) },
  }));
}

function schemasOf(rows: readonly Row[], form: SchemaForm): JsonObject {
  return Object.fromEntries(rows.map(([name, field]) => [name, fieldSchema(field, form)]));
}

/** In the shared part, an omitted backend is the local one. */
function where(names: readonly Backend[], part: Part): JsonObject {
  const match: JsonObject = names.length === 1 ? { const: names[0] ?? '' } : { enum: names };
  const isOmitted = part === 'shared part' && names.includes('local');
  return { properties: { backend: match }, ...(isOmitted ? {} : { required: ['backend'] }) };
}

const othersOf = ([, { backends: own = [] }]: Row) => backends.filter((backend) => !own.includes(backend));

function refusal([name, { backends: own = [] }]: Row): JsonObject {
  return {
    properties: { [name]: false },
    errorMessage: notFor(name, `backend ${codeList(own, 'or')}`, 'backend'),
    'x-code': 'field-not-for-backend',
  };
}
