// The table of a state in PostgreSQL as SQL: for Almanac itself, and for an administrator who creates it by hand.

import { Failure } from '../../model/workspace/failure.ts';
import type { PostgresPlace } from '../../model/workspace/state-place.ts';

type Table = Pick<PostgresPlace, 'schema' | 'table'>;

/** PostgreSQL cuts longer names off, so that two of them could be one. */
const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** The name of the table for SQL. Throws Failure usage for a name that Almanac does not accept. */
export function quotedTable({ schema, table }: Table): string {
  return schema === undefined ? quoted('table', table) : `${quoted('schema', schema)}.${quoted('table', table)}`;
}

/** One row for each entry. The primary key lets only the first writer of a number write it. */
export function createTableSql(place: Table): string {
  return `create table if not exists ${quotedTable(place)} (
  name text not null,
  n bigint not null check (n > 0),
  id uuid not null,
  kind text not null,
  title text not null,
  body text not null,
  at timestamptz not null default now(),
  primary key (name, n)
)`;
}

/** What an administrator runs once, so that Almanac's role needs no right to create tables. */
export function printSql(place: PostgresPlace): string {
  const table = quotedTable(place);
  return [
    "-- The table of Almanac's state. Run this as the role that shall own the table.",
    `${createTableSql(place)};`,
    '',
    '-- Replace almanac with the role that Almanac signs in with. It changes and deletes no row.',
    ...(place.schema === undefined ? [] : [`grant usage on schema ${quoted('schema', place.schema)} to almanac;`]),
    `grant select, insert on table ${table} to almanac;`,
    '',
  ].join('\n');
}

function quoted(what: 'schema' | 'table', name: string): string {
  if (identifier.test(name)) return `"${name}"`;
  throw new Failure('usage', `The ${what} of the state has a name that Almanac does not accept.`, {
    hint: 'Use up to 63 letters, digits and underscores; the first one is not a digit.',
  });
}
