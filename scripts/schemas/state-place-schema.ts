// The schema of `state` in almanac.yaml. Which fields apply depends on the backend, in the form that resource-schema.ts
// describes: editors then offer exactly the fields that fit, and each fault is exactly one error.

import { type Backend, backends, type Field, type Fields } from '../../src/model/fields/field.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { fieldSchema, list, type SchemaForm } from './shape-schema.ts';

/** An environment that names no backend has the one of the shared part, which its own schema cannot know. */
type Part = 'shared part' | 'environment';

type Row = readonly [name: string, field: Field];

export function stateSchema(section: Field, fields: Fields, form: SchemaForm, part: Part): JsonObject {
  const rows: readonly Row[] = Object.entries(fields);
  const dependent = rows.filter(([, field]) => field.backends !== undefined);
  const whereUnknown = { if: { not: { required: ['backend'] } }, then: { properties: schemasOf(dependent, form) } };
  return {
    ...fieldSchema({ ...section, shape: { type: 'object' } }, form),
    type: ['object', 'null'],
    properties: Object.fromEntries(
      rows.map(([name, field]) => [
        name,
        field.backends === undefined ? fieldSchema(field, form) : { doNotSuggest: true },
      ]),
    ),
    additionalProperties: false,
    allOf: [
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
      ...dependent.map((row) => elsewhere(row, part)),
    ],
  };
}

function schemasOf(rows: readonly Row[], form: SchemaForm): JsonObject {
  return Object.fromEntries(rows.map(([name, field]) => [name, fieldSchema(field, form)]));
}

/** In the shared part, an omitted backend is the local one. */
function where(names: readonly Backend[], part: Part): JsonObject {
  const match = names.length === 1 ? { const: names[0] ?? '' } : { enum: names };
  const isOmitted = part === 'shared part' && names.includes('local');
  return { properties: { backend: match }, ...(isOmitted ? {} : { required: ['backend'] }) };
}

function elsewhere([name, { backends: own = [] }]: Row, part: Part): JsonObject {
  const others = backends.filter((backend) => !own.includes(backend));
  return {
    if: where(others, part),
    then: {
      properties: { [name]: false },
      errorMessage: `\`${name}\` applies only to backend ${list(own, 'or')}: remove it, or change backend.`,
      'x-code': 'field-not-for-backend',
    },
  };
}
