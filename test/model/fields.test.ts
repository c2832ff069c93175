// The columns of the tables of fields are there for each field, and agree with each other.

import { expect, test } from 'vitest';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { kindsInOrder } from '../../src/model/values/address.ts';

const rows = kindsInOrder.flatMap((kind) =>
  Object.entries(fieldsOf[kind]).map(([name, field]) => ({ name: `${kind}.${name}`, ...field })),
);
const namesOf = (found: readonly { name: string }[]) => found.map(({ name }) => name);

test('every field of every kind says what it decides and where it is read', () => {
  const decided = ['when', 'who', 'rows', 'columns', 'rights', 'file', 'text', 'nothing'];
  const places = ['list', 'details', 'metadata', 'never'];
  expect(namesOf(rows.filter(({ decides, read }) => !decided.includes(decides) || !places.includes(read)))).toEqual([]);
});

test('a field that ignoreChanges may name decides neither who receives a report, nor its rows, columns or rights', () => {
  const guarded = rows.filter(({ decides }) => ['who', 'rows', 'columns', 'rights'].includes(decides));
  expect(namesOf(guarded.filter(({ ignorable }) => ignorable))).toEqual([
    // These may only become fewer.
    'schedule.showFilters',
    'schedule.enableFormatting',
    'schedule.expandTablesToShowAllRows',
  ]);
});

test('Omni shows no field that is secret', () => {
  expect(namesOf(rows.filter(({ secret, read }) => secret && read !== 'never'))).toEqual([]);
});
