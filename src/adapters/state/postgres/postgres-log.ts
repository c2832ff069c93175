// The log of a state as a table of PostgreSQL, one row for each entry. The primary key decides who was first. Every write
// is one statement and one transaction, so a pooler may sit in between, and nothing is held that a dead run could keep.

import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import type { Failure } from '../../../model/workspace/failure.ts';
import { type PostgresPlace, placeName } from '../../../model/workspace/state-place.ts';
import type { LogEntry, NewEntry, StateLog } from '../../../ports/state-log.ts';
import type { LogOptions } from '../log-options.ts';
import { type Access, inaccessible, unfit } from '../place-failures.ts';
import { type Connection, connectPostgres, ServerRefusal } from './connection.ts';
import { missingTable, noPermission } from './postgres-error.ts';

export interface PostgresLogOptions extends LogOptions<PostgresPlace> {
  /** How long the server may take for one try. All tries of an append take less than the shortest lease. */
  readonly patienceMs?: number;
}

type Row = Readonly<Record<string, unknown>>;

const oldestVersion = 90_500;
/** A table, a row of the catalogue or a type: made by another run at the same moment. */
const alreadyThere: ReadonlySet<unknown> = new Set(['42P07', '23505', '42710']);

/** Connects when it is first used. Throws Failure usage, missing-secret and state-backend-missing. */
export async function openPostgresLog(options: PostgresLogOptions): Promise<StateLog> {
  const { place, clock, environment, patienceMs = 15_000 } = options;
  const connection = await connectPostgres(placeName(place), { environment, clock, patienceMs });
  return new PostgresLog(place, connection);
}

class PostgresLog implements StateLog {
  readonly name: string;
  readonly traits = { paceMs: 0 };
  readonly #connection: Connection;
  /** Tells the states of one table apart. */
  readonly #state: string;
  readonly #table: string;
  #lacks: string | undefined;

  constructor(place: PostgresPlace, connection: Connection) {
    this.name = placeName(place);
    this.#connection = connection;
    this.#state = place.name;
    this.#table = [place.schema, place.table].flatMap((part) => (part === undefined ? [] : `"${part}"`)).join('.');
  }

  get lacks(): string | undefined {
    return this.#lacks;
  }

  /** Needs no right to create tables if the table exists. Of several that create it at once, all go on. */
  async prepare(signal?: AbortSignal): Promise<void> {
    await this.#run('write', (sql) => this.#create(sql), signal);
  }

  async #create(sql: Sql): Promise<void> {
    const isThere = async () => {
      const [row] = await sql.unsafe(`select to_regclass('${this.#table}') is not null as there`);
      return row?.['there'] === true;
    };
    if (await isThere()) return;
    try {
      await sql.unsafe(createTableSql(this.#table));
    } catch (error) {
      if (!alreadyThere.has(codeOf(error)) || !(await isThere())) throw error;
    }
  }

  /** What it inserts is rolled back. */
  async probe(signal?: AbortSignal): Promise<void> {
    const [server] = await this.#rows(
      'read',
      `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
        pg_is_in_recovery() as standby, row_security_active(oid) as filtered,
        relkind::text in ('r', 'p') as is_table, relpersistence::text as persistence
      from pg_class where oid = '${this.#table}'::regclass`,
      [],
      signal,
    );
    const { version, encoding, standby, filtered, is_table: isTable, persistence } = server ?? {};
    const fault = (why: string, hint: string): Failure => unfit(this.name, why, hint);
    if (Number(version) < oldestVersion)
      throw fault('the server is older than PostgreSQL 9.5', 'Update the server, or use another one.');
    if (standby !== false)
      throw fault('the server is a standby, which cannot be written', 'Use the address of the primary server.');
    if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII')
      throw fault('the database cannot store all characters', 'Use a database with the encoding UTF8.');
    if (isTable !== true) throw fault(`${this.#table} is not a table`, 'Choose another name.');
    if (persistence !== 'p') {
      const hint = `Run \`alter table ${this.#table} set logged\`.`;
      throw fault(`${this.#table} loses its rows when the server crashes`, hint);
    }
    if (filtered !== false)
      throw fault(`row-level security may hide rows of ${this.#table}`, 'Disable it for the table.');
    await this.read(0, signal);
    const counts = await this.#run('write', (sql) => rolledBack(sql, (inside) => this.#insertTwice(inside)), signal);
    if (counts !== 'on 1 0' && counts !== 'remote_apply 1 0')
      throw fault('of two rows with one number, the server did not refuse the second', 'Use a PostgreSQL server.');
  }

  async read(after: number, signal?: AbortSignal): Promise<readonly LogEntry[]> {
    // Always one row at least, so that an empty log is told from one that this server or role does not show.
    const text = `select log.n, log.kind, log.body, server.standby, server.filtered
      from (select pg_is_in_recovery() as standby, row_security_active('${this.#table}'::regclass) as filtered) as server
      left join (
        select n, kind, body from ${this.#table}
        where name = $1::text and n > $2::bigint and n >= coalesce(
          (select n from ${this.#table} where name = $1::text and kind = 'commit' order by n desc limit 1), 0)
      ) as log on true
      order by log.n`;
    const rows = await this.#run(
      'read',
      (sql) => sql.unsafe(text, [this.#state, after]).catch(orWithout<readonly Row[]>(missingTable)),
      signal,
    );
    this.#lacks = rows === undefined ? `the table ${this.#table} does not exist yet` : undefined;
    if (rows === undefined) return [];
    if (rows[0]?.['standby'] !== false)
      throw this.#unreadable('the server is a standby, which may not know the newest state', 'Use the primary server.');
    if (rows[0]['filtered'] !== false)
      throw this.#unreadable('row-level security may hide rows of the table', 'Disable it for the table.');
    // Whoever folds the log refuses a gap.
    return rows.filter(({ n }) => n !== null).map((row) => this.#entryOf(row));
  }

  async entry(n: number, signal?: AbortSignal): Promise<LogEntry | undefined> {
    const text = `select n, body from ${this.#table} where name = $1::text and n = $2::bigint`;
    const [row] = await this.#rows('read', text, [this.#state, n], signal);
    return row && this.#entryOf(row);
  }

  /** Repeating the insert is safe: after a lost answer, the row is there and is found to be this entry's. */
  async append(n: number, { id, kind, title, bytes }: NewEntry, signal?: AbortSignal): Promise<'written' | 'taken'> {
    const body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const values = [this.#state, n, id, kind, title, body];
    const isWritten = async (sql: Sql) => (await sql.unsafe(this.#insert, values)).count === 1;
    if (await this.#run('write', isWritten, signal)) return 'written';
    // It counts also after an interruption.
    const [there] = await this.#rows('write', `select body from ${this.#table} where name = $1 and n = $2`, [
      this.#state,
      n,
    ]);
    if (there !== undefined) return there['body'] === body ? 'written' : 'taken';
    const hint = 'The table was changed or restored from a backup. Compare it with the newest state that you know.';
    throw inaccessible('write', this.name, `the entry before entry ${n} is missing`, hint);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /**
   * A role or a database may have switched synchronous_commit off. It is decided when the transaction ends, and this
   * statement is the whole transaction, so it can set it for itself. Only remote_apply promises more than on.
   */
  get #insert(): string {
    return `insert into ${this.#table} (name, n, id, kind, title, body)
      select $1::text, $2::bigint, $3::uuid, $4::text, $5::text, $6::text
      from (
        select set_config('synchronous_commit',
          case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end,
          true) as durability
      ) as setting
      where durability <> 'off'
        and ($2::bigint = 1 or exists (select 1 from ${this.#table} where name = $1::text and n = $2::bigint - 1))
      on conflict (name, n) do nothing`;
  }

  /** How durable the transaction is, and how many rows the two statements wrote. */
  async #insertTwice(sql: TransactionSql): Promise<string> {
    const name = `probe ${randomUUID()}`;
    const insert = () =>
      sql.unsafe(this.#insert, [name, 1, randomUUID(), 'lines', 'A probe, which is rolled back', '{}']);
    const counts = [(await insert()).count, (await insert()).count];
    const [row] = await sql.unsafe(`select current_setting('synchronous_commit') as level`);
    return [row?.['level'], ...counts].join(' ');
  }

  #rows(
    access: Access,
    text: string,
    values: readonly (string | number)[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    return this.#run(access, (sql) => sql.unsafe(text, [...values]), signal);
  }

  async #run<T>(access: Access, work: (sql: Sql) => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await this.#connection.run(work, signal);
    } catch (error) {
      if (!(error instanceof ServerRefusal)) throw error;
      const { words, hint, sqlState } = error.why;
      const rights = `${access === 'read' ? 'select' : 'select and insert'} on ${this.#table}, and usage on its schema`;
      throw inaccessible(access, this.name, sqlState === noPermission ? `${words}; it needs ${rights}` : words, hint);
    }
  }

  #entryOf({ n, body }: Row): LogEntry {
    if (typeof body === 'string' && Number.isSafeInteger(Number(n)))
      return { n: Number(n), bytes: new TextEncoder().encode(body) };
    throw this.#unreadable('a row of the table is not one that Almanac wrote', 'Repair the table by hand.');
  }

  #unreadable(why: string, hint: string): Failure {
    return inaccessible('read', this.name, why, hint);
  }
}

/** One row for each entry. The primary key lets only the first writer of a number write it. */
function createTableSql(table: string): string {
  return `create table if not exists ${table} (
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

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Undefined in place of an error of this code. */
function orWithout<T>(code: string): (error: unknown) => T | undefined {
  return (error) => {
    if (codeOf(error) === code) return undefined;
    throw error;
  };
}

class RollBack extends Error {}

async function rolledBack<T>(sql: Sql, work: (inside: TransactionSql) => Promise<T>): Promise<T | undefined> {
  let result: T | undefined;
  try {
    await sql.begin(async (inside) => {
      result = await work(inside);
      throw new RollBack();
    });
  } catch (error) {
    if (!(error instanceof RollBack)) throw error;
  }
  return result;
}
