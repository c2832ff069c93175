// The log of a state as a table of PostgreSQL, one row for each entry. The primary key decides who was first. Every write
// is one statement and one transaction, so a pooler may sit in between, and nothing is held that a dead run could keep.

import type { Sql } from 'postgres';
import { Failure } from '../../../model/workspace/failure.ts';
import { type PostgresPlace, placeName } from '../../../model/workspace/state-place.ts';
import type { LogEntry, NewEntry, StateLog } from '../../../ports/state-log.ts';
import { createTableSql } from '../../../render/state/postgres-sql.ts';
import type { LogOptions } from '../log-options.ts';
import { type Access, inaccessible, interrupted } from '../place-failures.ts';
import { readAddress } from './postgres-address.ts';
import { PostgresConnection, type PostgresPackage, ServerRefusal, type Work } from './postgres-connection.ts';
import { alreadyThere, noPermission } from './postgres-error.ts';
import { probeTable } from './probe-table.ts';
import { type Statements, statementsFor } from './statements.ts';

export interface PostgresLogOptions extends LogOptions<PostgresPlace> {
  /** How long the server may take for one try. All tries of an append take less than the shortest lease. */
  readonly patienceMs?: number;
}

type Row = Readonly<Record<string, unknown>>;

const defaultPatienceMs = 15_000;
const askForRights = 'Let an administrator run the SQL that `almanac state init --print-sql` prints.';

/** Connects when it is first used. Throws Failure usage, missing-secret and state-backend-missing. */
export async function openPostgresLog(options: PostgresLogOptions): Promise<StateLog> {
  const { place, clock, environment, patienceMs = defaultPatienceMs } = options;
  const statements = statementsFor(place);
  const address = readAddress(environment);
  const postgres = await loadPostgres(placeName(place));
  return new PostgresLog(place, statements, new PostgresConnection({ address, postgres, clock, patienceMs }));
}

class PostgresLog implements StateLog {
  readonly name: string;
  readonly traits = { paceMs: 0 };
  readonly #place: PostgresPlace;
  readonly #statements: Statements;
  readonly #connection: PostgresConnection;

  constructor(place: PostgresPlace, statements: Statements, connection: PostgresConnection) {
    this.name = placeName(place);
    this.#place = place;
    this.#statements = statements;
    this.#connection = connection;
  }

  async probe(signal?: AbortSignal): Promise<void> {
    const read = <T>(work: Work<T>) => this.#run('read', work, signal);
    const write = <T>(work: Work<T>) => this.#run('write', work, signal);
    await probeTable({ name: this.name, statements: this.#statements, read, write });
  }

  /** Does not need the right to create tables if the table exists. */
  async prepare(signal?: AbortSignal): Promise<void> {
    await this.#run(
      'write',
      async (sql) => {
        const isThere = async () => (await sql.unsafe(this.#statements.isThere))[0]?.['there'] === true;
        if (await isThere()) return;
        try {
          await sql.unsafe(createTableSql(this.#place));
        } catch (error) {
          if (!isRace(error) || !(await isThere())) throw error;
        }
      },
      signal,
    );
  }

  async read(after: number, signal?: AbortSignal): Promise<readonly LogEntry[]> {
    const work: Work<readonly Row[]> = (sql) => sql.unsafe(this.#statements.read, [this.#place.name, after]);
    const rows = await this.#run('read', (sql) => untilAborted(work(sql), signal), signal);
    if (rows[0]?.['standby'] !== false) {
      throw this.#unreadable('the server is a standby, which may not know the newest state', 'Use the primary server.');
    }
    if (rows[0]['filtered'] !== false) {
      throw this.#unreadable('row-level security may hide rows of the table', 'Disable it for the table.');
    }
    const entries = rows.filter((row) => row['n'] !== null).map((row) => this.#entryOf(row));
    this.#checkNumbers(
      after,
      entries,
      rows.map((row) => row['kind']),
    );
    return entries;
  }

  async entry(n: number, signal?: AbortSignal): Promise<LogEntry | undefined> {
    const work: Work<readonly Row[]> = (sql) => sql.unsafe(this.#statements.entry, [this.#place.name, n]);
    const [row] = await this.#run('read', (sql) => untilAborted(work(sql), signal), signal);
    return row && this.#entryOf(row);
  }

  /** Repeating the insert is safe: after a lost answer, the row is there and is found to be this entry's. */
  async append(n: number, entry: NewEntry, signal?: AbortSignal): Promise<'written' | 'taken'> {
    const { name } = this.#place;
    const body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(entry.bytes);
    const insert = [name, n, entry.id, entry.kind, entry.title, body];
    const row = await this.#run(
      'write',
      async (sql): Promise<Row | 'written' | undefined> => {
        const { count } = await sql.unsafe(this.#statements.append, insert);
        if (count === 1) return 'written';
        return (await sql.unsafe(this.#statements.owner, [name, n, entry.id]))[0];
      },
      signal,
    );
    if (row === 'written') return 'written';
    if (row === undefined) {
      throw inaccessible(
        'write',
        this.name,
        `the entry before entry ${n} is missing`,
        'The table was changed or restored from a backup. Compare it with the newest state that you know.',
      );
    }
    return row['body'] === body ? 'written' : 'taken';
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #run<T>(access: Access, work: Work<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await this.#connection.run(work, signal);
    } catch (error) {
      if (error === signal?.reason) throw interrupted();
      if (!(error instanceof ServerRefusal)) throw error;
      const { words, hint, sqlState } = error.why;
      const missing = sqlState === noPermission ? await this.#missing(signal) : undefined;
      throw inaccessible(access, this.name, missing ?? words, missing === undefined ? hint : askForRights);
    }
  }

  /** The permission that is missing, as the end of a sentence; undefined if it cannot be found out. */
  async #missing(signal?: AbortSignal): Promise<string | undefined> {
    try {
      return await this.#connection.run((sql) => missingPermission(sql, this.#statements), signal);
    } catch {
      return undefined;
    }
  }

  #entryOf({ n, body }: Row): LogEntry {
    const number = Number(n);
    if (!Number.isSafeInteger(number) || typeof body !== 'string') {
      throw this.#unreadable('a row of the table is not one that Almanac wrote', 'Repair the table by hand.');
    }
    return { n: number, bytes: new TextEncoder().encode(body) };
  }

  /** Only a commit may follow what was not read. */
  #checkNumbers(after: number, entries: readonly LogEntry[], kinds: readonly unknown[]): void {
    const [first] = entries;
    const gap = entries.findIndex(({ n }, index) => n !== (first?.n ?? 0) + index);
    if (gap === -1 && (first === undefined || first.n === after + 1 || kinds[0] === 'commit')) return;
    throw this.#unreadable('entries are missing in the table', 'Restore the rows that were removed.');
  }

  #unreadable(why: string, hint: string): Failure {
    return inaccessible('read', this.name, why, hint);
  }
}

/** Two that create a table at once can both try. */
function isRace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && alreadyThere.some((code) => code === error.code);
}

/** Reading leaves nothing behind, so it need not be waited for. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Of an import, and of what the build makes of it. */
const notFound: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/** The package that users install next to Almanac. Throws Failure state-backend-missing. `load` is replaced by tests. */
async function loadPostgres(
  name: string,
  load: () => Promise<{ readonly default: PostgresPackage }> = () => import('postgres'),
): Promise<PostgresPackage> {
  try {
    return (await load()).default;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && notFound.has(error.code))) throw error;
    throw new Failure('state-backend-missing', `${name} needs the package postgres, which is not installed.`, {
      hint: 'Run `npm install postgres` where Almanac is installed, with --global if Almanac was installed so.',
    });
  }
}

/** Which permission the user lacks, as the end of a sentence; undefined if nothing is missing that Almanac needs. */
async function missingPermission(sql: Sql, { table }: Statements): Promise<string | undefined> {
  let row: Readonly<Record<string, unknown>> | undefined;
  try {
    [row] = await sql.unsafe(
      `select to_regclass('${table}') is not null as there,
        has_table_privilege(to_regclass('${table}'), 'select') as may_select,
        has_table_privilege(to_regclass('${table}'), 'insert') as may_insert`,
    );
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === noPermission)) throw error;
    return `the user lacks the permission usage on the schema of ${table}`;
  }
  if (row?.['there'] !== true) return `the table ${table} does not exist, and the user may not create it`;
  const missing = ['select', 'insert'].filter((right) => row[`may_${right}`] === false);
  return missing.length === 0
    ? undefined
    : `the user lacks the permission ${missing.join(' and ')} on the table ${table}`;
}
