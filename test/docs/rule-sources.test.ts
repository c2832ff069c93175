// The table of rules and their sources is complete, and names only existing codes.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commonFields } from '../../src/model/fields/common-fields.ts';
import type { Field, Shape } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { kindsInOrder } from '../../src/model/values/address.ts';
import { codes, isCode } from '../../src/model/workspace/codes.ts';

const page = readFileSync('docs/adr/0015-each-rule-has-a-source.md', 'utf8');
const rows = page.split('\n').filter((line) => /^\| `/.test(line));
const namesIn = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** Beyond a type, and that a text is not empty. */
function hasRule(shape: Shape): boolean {
  if (shape.type === 'choice') return true;
  if (shape.type === 'list') return hasRule(shape.items) || 'maxItems' in shape || 'uniqueItems' in shape;
  return ['pattern', 'minimum', 'maximum'].some((bound) => bound in shape);
}

test('the table of rules names each field with a rule', () => {
  const ruled = kindsInOrder.flatMap((kind) =>
    Object.entries<Field>(fieldsOf[kind])
      .filter(([name, { shape }]) => !(name in commonFields) && hasRule(shape))
      .map(([name]) => name),
  );
  const named = rows.flatMap((row) => namesIn(row.split('|')[1]));
  expect(
    [...new Set(ruled)].filter((name) => !named.includes(name)),
    'docs/adr/0015-each-rule-has-a-source.md has no row for these fields.',
  ).toEqual([]);
});

test('a rule that no source states, or only AWS, is a warning', () => {
  const unstated = rows.filter((row) => /ours: a warning|not Omni: a warning/.test(row));
  const found = unstated.flatMap((row) => namesIn(row.split('|')[2]).filter(isCode));
  expect(found).toHaveLength(unstated.length);
  expect(found.filter((code) => codes[code].severity !== 'warning')).toEqual([]);
});
