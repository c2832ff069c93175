// The words for what is wrong with a document: where it is, and what was expected there.

import { expect, test } from 'vitest';
import { makeAjv } from '../../scripts/schemas/compile-validators.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { documentProblem } from '../../src/yaml/document-problem.ts';
import { instantForm } from '../../src/yaml/text-forms.ts';

test.each<[words: string, schema: JsonObject, value: unknown]>([
  ['it is not an object', { type: 'object' }, []],
  ['it is not a list', { type: 'array' }, {}],
  ['it is not a string or null', { type: ['string', 'null'] }, 1],
  ['it is not true or false', { type: 'boolean' }, 'yes'],
  ['it is not a number', { type: 'number' }, 'one'],
  ['it is not a whole number', { type: 'integer' }, 1.5],
  ['it is less than 1', { type: 'integer', minimum: 1 }, 0],
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
  const validate = makeAjv({ allErrors: false }).compile(schema);
  expect(validate(value)).toBe(false);
  expect(documentProblem(validate.errors)).toBe(words);
});
