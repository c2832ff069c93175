// The type of a document follows from its schema: each line that is marked must not compile, or tsc fails.

import { expect, test } from 'vitest';
import { listOf, oneOf, record, type Schema, type TypeOf, text } from '../../src/model/values/schema.ts';

const sample = record({ name: text, kind: oneOf('a', 'b'), 'notes?': listOf(text) });
type Sample = TypeOf<typeof sample>;

test('a value that is not of the schema does not compile', () => {
  const whole: readonly Sample[] = [
    { name: 'x', kind: 'a' },
    { name: 'x', kind: 'b', notes: ['y'] },
  ];
  const wrong: readonly Sample[] = [
    // @ts-expect-error A field is missing.
    { name: 'x' },
    // @ts-expect-error There is no such field.
    { name: 'x', kind: 'a', size: 1 },
    // @ts-expect-error The field is a string.
    { name: 1, kind: 'a' },
    // @ts-expect-error The value is not among those of the field.
    { name: 'x', kind: 'c' },
    // @ts-expect-error The items are strings.
    { name: 'x', kind: 'a', notes: [1] },
  ];
  // @ts-expect-error A schema that is said to be of no type.
  const untyped: Schema<string> = { type: 'string' };
  expect([whole.length, wrong.length, untyped]).toEqual([2, 5, text]);
});
