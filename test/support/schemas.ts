// The published schemas, as another program would use them on what the program prints.

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { makeAjv } from '../../scripts/schemas/compile-validators.ts';
import type { DocumentName } from '../../src/document-schemas.ts';

const ajv = makeAjv({ strict: false });

/** Asserts that the text is one JSON document that fits its schema. */
export function expectDocument<T = Record<string, unknown>>(name: DocumentName, text: string): T {
  const document: unknown = JSON.parse(text);
  const key = `${name}.schema.json`;
  const validate =
    ajv.getSchema(key) ??
    ajv.addSchema(JSON.parse(readFileSync(`schemas/${key}`, 'utf8')) as object, key).getSchema(key);
  validate?.(document);
  expect(validate?.errors ?? [], text).toEqual([]);
  expect(text.endsWith('\n')).toBe(true);
  return document as T;
}
