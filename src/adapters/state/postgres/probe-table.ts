// Whether a server and its table are fit for a log, and the user may do what an apply needs. What it writes is rolled
// back.

import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { unfit } from '../place-failures.ts';
import type { Work } from './postgres-connection.ts';
import type { Statements } from './statements.ts';

export interface ProbeOptions {
  /** The name of the log in messages. */
  readonly name: string;
  readonly statements: Statements;
  readonly read: <T>(work: Work<T>) => Promise<T>;
  readonly write: <T>(work: Work<T>) => Promise<T>;
}

type Row = Readonly<Record<string, unknown>>;

const oldestVersion = 90_500;

/** Throws Failure state-backend-unfit, state-unreadable and state-unwritable. */
export async function probeTable({ name, statements, read, write }: ProbeOptions): Promise<void> {
  const { table } = statements;

  const [server] = await read<readonly Row[]>((sql) =>
    sql.unsafe(`select current_setting('server_version_num')::int as version, pg_is_in_recovery() as standby,
      current_setting('server_encoding') as encoding`),
  );
  if (typeof server?.['version'] !== 'number' || server['version'] < oldestVersion) {
    throw unfit(name, 'the server is older than PostgreSQL 9.5', 'Update the server, or use another one.');
  }
  if (server['standby'] !== false) {
    throw unfit(name, 'the server is a standby, which cannot be written', 'Use the address of the primary server.');
  }
  if (server['encoding'] !== 'UTF8' && server['encoding'] !== 'SQL_ASCII') {
    throw unfit(name, 'the database cannot store all characters', 'Use a database with the encoding UTF8.');
  }

  const [kind] = await read<readonly Row[]>((sql) =>
    sql.unsafe(`select relkind::text in ('r', 'p') as is_table, relpersistence::text as persistence,
      row_security_active(oid) as filtered
      from pg_class where oid = '${table}'::regclass`),
  );
  if (kind?.['is_table'] !== true) throw unfit(name, `${table} is not a table`, 'Choose another name.');
  if (kind['persistence'] !== 'p') {
    throw unfit(name, `${table} loses its rows when the server crashes`, `Run \`alter table ${table} set logged\`.`);
  }
  if (kind['filtered'] !== false) {
    throw unfit(name, `row-level security may hide rows of ${table}`, 'Disable it for the table.');
  }
  await read((sql) => sql.unsafe(statements.read, [name, 0]));

  const counts = await write((sql) => rolledBack(sql, (inside) => insertTwice(inside, statements)));
  if (counts !== 'on 1 0' && counts !== 'remote_apply 1 0') {
    throw unfit(name, 'of two rows with one number, the server did not refuse the second', 'Use a PostgreSQL server.');
  }
}

/** How durable the transaction is, and how many rows the two statements wrote. */
async function insertTwice(sql: TransactionSql, { append }: Statements): Promise<string> {
  const values = () => [`probe ${randomUUID()}`, 1, randomUUID(), 'lines', 'A probe, which is rolled back', '{}'];
  const [name, ...first] = values();
  const [, ...second] = values();
  const counts = [];
  for (const rest of [first, second]) {
    if (name !== undefined) counts.push((await sql.unsafe(append, [name, ...rest])).count);
  }
  const [row]: readonly Row[] = await sql.unsafe(`select current_setting('synchronous_commit') as level`);
  return [row?.['level'], ...counts].join(' ');
}

class RollBack extends Error {}

async function rolledBack<T>(sql: Parameters<Work<T>>[0], work: (inside: TransactionSql) => Promise<T>): Promise<T> {
  let result: { readonly value: T } | undefined;
  try {
    await sql.begin(async (inside) => {
      result = { value: await work(inside) };
      throw new RollBack();
    });
  } catch (error) {
    if (!(error instanceof RollBack)) throw error;
  }
  if (result === undefined) throw new Error('The transaction ended before its work.');
  return result.value;
}
