// The compiler holds schemas and types together: each line that is marked must not compile, or tsc fails.

import { expect, test } from 'vitest';
import { constant, count, flag, listOf, oneOf, record, type Schema, text } from '../../scripts/schemas/typed-schema.ts';

interface Sample {
  readonly name: string;
  readonly kind: 'a' | 'b';
  readonly notes?: readonly string[];
}

const name = text;
const kind = oneOf('a', 'b');

test('a schema requires the fields that its type requires, and no others', () => {
  expect(record<Sample>({ name, kind, 'notes?': listOf(text) })).toEqual({
    type: 'object',
    properties: { name: { type: 'string' }, kind: { enum: ['a', 'b'] }, notes: { type: 'array', items: text } },
    required: ['name', 'kind'],
    additionalProperties: false,
  });
});

test('a field that the schema and its type do not share does not compile', () => {
  // @ts-expect-error A field of the type is missing.
  record<Sample>({ name, kind });
  // @ts-expect-error The type has no such field.
  record<Sample>({ name, kind, 'notes?': listOf(text), size: count });
  // @ts-expect-error The field is optional in the type.
  record<Sample>({ name, kind, notes: listOf(text) });
  // @ts-expect-error The field is required in the type.
  record<Sample>({ 'name?': name, kind, 'notes?': listOf(text) });
});

test('a field whose schema is that of another type does not compile', () => {
  // @ts-expect-error The field is a string.
  record<Sample>({ name: flag, kind, 'notes?': listOf(text) });
  // @ts-expect-error The type has two values, the schema one.
  record<Sample>({ name, kind: constant('a'), 'notes?': listOf(text) });
  // @ts-expect-error The schema has a value that the type lacks.
  record<Sample>({ name, kind: oneOf('a', 'b', 'c'), 'notes?': listOf(text) });
  // @ts-expect-error The items are strings.
  record<Sample>({ name, kind, 'notes?': listOf(count) });
  // @ts-expect-error A schema that is said to be of no type.
  const untyped: Schema<string> = { type: 'string' };
  expect(untyped).toEqual(text);
});
