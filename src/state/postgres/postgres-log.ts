// The log of a shared state as a table of PostgreSQL. Each entry is a row. The primary key decides who was first. Every
// write is one statement and one transaction, so a pooler may sit in between, and a run that dies holds no lock of the
// server. Where the table does not exist, the first entry creates it.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../model/outside.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type PostgresPlace, placeName } from '../../model/workspace/state-place.ts';
import { EntryTooLarge, inaccessible, type LogOptions, unfit } from '../log/backend.ts';
import { rehearsal } from '../log/new-entry.ts';
import type { LogEntry, NewEntry, StateLog } from '../state-log.ts';
import {
  alreadyThere,
  Connection,
  missingSchema,
  missingTable,
  noPermission,
  type Outcome,
  type PgPackage,
  rowTooLarge,
  type ServerError,
  type SqlRow,
  serverOf,
} from './connection.ts';

export interface PostgresLogOptions extends LogOptions<PostgresPlace> {
  /** The milliseconds that the server may take for one try. Several may together outlast a lease: the log refuses what is late. */
  readonly patienceMs?: number;
}

type SqlValues = readonly (string | number)[];
/** The right that a statement needs. */
type Right = 'select' | 'insert' | 'create';

/** Connects when it is first used. Throws Failure usage, missing-secret and state-backend-missing. */
export async function openPostgresLog(options: PostgresLogOptions): Promise<StateLog> {
  const { place, clock, environment, patienceMs = 15_000 } = options;
  const server = serverOf(environment);
  const pg = await loadPg(placeName(place));
  return new PostgresLog(place, clock, new Connection(pg, { server, clock, patienceMs }));
}

class PostgresLog implements StateLog {
  readonly name: string;
  readonly paceMs = 0;
  readonly #place: PostgresPlace;
  readonly #clock: Clock;
  readonly #connection: Connection;
  readonly #table: string;
  #lacks: string | undefined;

  constructor(place: PostgresPlace, clock: Clock, connection: Connection) {
    this.name = placeName(place);
    this.#place = place;
    this.#clock = clock;
    this.#connection = connection;
    this.#table = place.schema === undefined ? `"${place.table}"` : `"${place.schema}"."${place.table}"`;
  }

  get lacks(): string | undefined {
    return this.#lacks;
  }

  /** Writes only what it rolls back, including the table if it creates one. */
  async probe(signal?: AbortSignal): Promise<void> {
    const facts = await this.#connection.run(
      `select pg_is_in_recovery() as standby, relkind::text as kind, relpersistence::text as persistence,
        row_security_active(oid) as filtered
      from (select to_regclass('${this.#table}') as found) as place left join pg_class on oid = found`,
      [],
      signal,
    );
    const [server = {}] = this.#done('select', facts);
    const { standby, kind, persistence, filtered } = server;
    if (standby !== false)
      throw this.#unfit('the server is a standby, which cannot be written', 'Use the address of the primary server.');
    if (kind !== null) {
      if (kind !== 'r' && kind !== 'p') throw this.#unfit(`${this.#table} is not a table`, 'Choose another name.');
      if (persistence !== 'p')
        throw this.#unfit(
          `${this.#table} loses its rows when the server crashes`,
          `Run \`alter table ${this.#table} set logged\`.`,
        );
      if (filtered !== false)
        throw this.#unfit(`row-level security may hide rows of ${this.#table}`, 'Disable it for the table.');
    }
    await this.read(0, signal);
    await this.#rehearse(signal);
  }

  async read(after: number, signal?: AbortSignal): Promise<readonly LogEntry[]> {
    const rows = await this.#written(this.#selectNewest(), [this.#place.name, after], after === 0, signal);
    this.#lacks = rows === undefined ? `the table ${this.#table} does not exist yet` : undefined;
    if (rows === undefined) return [];
    if (rows[0]?.['standby'] !== false)
      throw this.#unreadable('the server is a standby, which may not know the newest state', 'Use the primary server.');
    if (rows[0]['filtered'] !== false)
      throw this.#unreadable('row-level security may hide rows of the table', 'Disable it for the table.');
    return rows.filter((row) => row['n'] !== null).map((row) => this.#entryOf(row));
  }

  async entry(n: number, signal?: AbortSignal): Promise<LogEntry | undefined> {
    const [row] = (await this.#written(this.#selectOne(), [this.#place.name, n], n === 1, signal)) ?? [];
    return row && this.#entryOf(row);
  }

  /** Repeating the insert is safe: after a lost answer, the row is there and is found to be this entry's. */
  async append(n: number, { id, kind, title, bytes }: NewEntry, signal?: AbortSignal): Promise<'written' | 'taken'> {
    const values = [this.#place.name, n, id, kind, title, bodyOf(bytes)];
    const insert = () => this.#connection.run(this.#insert(), values, signal);
    const create = async () => {
      const created = await this.#connection.run(createTable(this.#table), [], signal);
      return 'rows' in created ? insert() : created;
    };
    const inserted = n === 1 ? await this.#creating(insert, create) : this.#done('insert', await insert());
    if (inserted.length === 1) return 'written';
    const there = await this.entry(n, signal);
    if (there !== undefined) return Buffer.compare(there.bytes, bytes) === 0 ? 'written' : 'taken';
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
  #insert([name, n, id, kind, title, body] = ['$1', '$2', '$3', '$4', '$5', '$6']): string {
    return `insert into ${this.#table} (name, n, id, kind, title, body)
      select ${name}::text, ${n}::bigint, ${id}::uuid, ${kind}::text, ${title}::text, ${body}::text
      from (
        select set_config('synchronous_commit',
          case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end,
          true) as durability
      ) as setting
      where durability <> 'off'
        and (${n}::bigint = 1 or exists (select 1 from ${this.#table} where name = ${name}::text and n = ${n}::bigint - 1))
      on conflict (name, n) do nothing
      returning n`;
  }

  /** Always one row at least, so that an empty log is told from one that this server or role does not show. */
  #selectNewest([name, after] = ['$1', '$2']): string {
    return `select log.n, log.body, server.standby, server.filtered
      from (select pg_is_in_recovery() as standby, row_security_active('${this.#table}'::regclass) as filtered) as server
      left join (
        select n, kind, body from ${this.#table}
        where name = ${name}::text and n > ${after}::bigint and n >= coalesce(
          (select n from ${this.#table} where name = ${name}::text and kind = 'commit' order by n desc limit 1), 0)
      ) as log on true
      order by log.n`;
  }

  #selectOne([name, n] = ['$1', '$2']): string {
    return `select n, body from ${this.#table} where name = ${name}::text and n = ${n}::bigint`;
  }

  /**
   * Writes what an apply writes under a name that no state can have, reads it, and takes it back. The server must refuse the second
   * of two rows with one number, and give back what was written.
   */
  async #rehearse(signal: AbortSignal | undefined): Promise<void> {
    const mark = `$e${randomUUID().replaceAll('-', '')}$`;
    const quoted = (text: string) => `${mark}${text}${mark}`;
    const name = quoted(`probe ${this.#place.name}`);
    const entries = rehearsal(this.#clock);
    const insert = ({ id, kind, title, bytes }: NewEntry, index: number) =>
      this.#insert([name, `${index + 1}`, `'${id}'`, `'${kind}'`, quoted(title), quoted(bodyOf(bytes))]);
    const steps = [
      ...entries.map(insert),
      ...rehearsal(this.#clock).map(insert),
      // What a constraint refuses at the end of a transaction, it refuses here.
      'set constraints all immediate',
      `select current_setting('synchronous_commit') as level`,
      this.#selectOne([name, '1']),
      this.#selectOne([name, '2']),
      this.#selectNewest([name, '0']),
      'rollback',
    ];
    const attempt = (before: readonly string[]) =>
      this.#connection.run(['begin', ...before, ...steps].join(';\n'), [], signal);
    const rows = await this.#creating(
      () => attempt([]),
      () => attempt([createTable(this.#table)]),
    );
    const written = rows.findIndex(({ level }) => level === 'on' || level === 'remote_apply');
    if (written < 0 || written > entries.length)
      throw this.#unfit(
        'of two rows with one number, the server did not refuse the second',
        'Use a PostgreSQL server.',
      );
    const found = rows.slice(written + 1).map(({ body }) => body);
    if (found.join('\n') !== entries.map(({ bytes }) => bodyOf(bytes)).join('\n'))
      throw this.#unfit(
        'the server gave back another row than the one that was written',
        'Remove what changes rows of the table, such as a trigger or a rule.',
      );
  }

  /** Runs what needs the table, which is created if it is missing. If several create it at once, one does, and all go on. */
  async #creating(attempt: () => Promise<Outcome>, create: () => Promise<Outcome>): Promise<readonly SqlRow[]> {
    const found = await attempt();
    if ('rows' in found || found.why.code !== missingTable) return this.#done('insert', found);
    const created = await create();
    if ('rows' in created || !alreadyThere.includes(created.why.code)) return this.#done('create', created);
    const retried = await attempt();
    return this.#done('create', 'rows' in retried ? retried : created);
  }

  /** Checks that the table does not exist and is not just hidden: an empty place would be taken for a state without schedules. */
  async #checkAbsent(signal: AbortSignal | undefined): Promise<void> {
    const { schema, table } = this.#place;
    const facts = await this.#connection.run(
      `select pg_is_in_recovery() as standby,
        ${schema === undefined ? 'current_schema()' : `to_regnamespace('"${schema}"')`} is not null as has_schema,
        (select string_agg(nspname, ', ' order by nspname) from pg_class join pg_namespace on pg_namespace.oid = relnamespace
          where relname = '${table}' and nspname !~ '^pg_' and not pg_table_is_visible(pg_class.oid)) as hidden_in`,
      [],
      signal,
    );
    const [row = {}] = this.#done('select', facts);
    if (row['standby'] !== false)
      throw this.#unreadable('the server is a standby, which may not know the newest state', 'Use the primary server.');
    if (row['has_schema'] !== true) throw this.#unreadable('the schema does not exist', this.#createSchema());
    if (schema === undefined && row['hidden_in'] !== null)
      throw this.#unreadable(
        `the table ${this.#table} is in the schema ${row['hidden_in']}, where the user does not look for it`,
        'Name the `schema` in almanac.yaml.',
      );
  }

  /** Returns undefined if nothing was written yet, so that the table does not exist. */
  async #written(text: string, values: SqlValues, isFirst: boolean, signal: AbortSignal | undefined) {
    const outcome = await this.#connection.run(text, values, signal);
    if (!isFirst || 'rows' in outcome || outcome.why.code !== missingTable) return this.#done('select', outcome);
    await this.#checkAbsent(signal);
    return undefined;
  }

  /** Throws Failure state-unreadable and state-unwritable. */
  #done(right: Right, outcome: Outcome): readonly SqlRow[] {
    if ('rows' in outcome) return outcome.rows;
    const { words, hint } = this.#explained(right, outcome.why);
    const failure = inaccessible(right === 'select' ? 'read' : 'write', this.name, words, hint);
    throw outcome.why.code.startsWith(rowTooLarge) ? new EntryTooLarge(failure) : failure;
  }

  #explained(right: Right, why: ServerError): Pick<ServerError, 'words' | 'hint'> {
    const table = this.#table;
    if (why.code === missingSchema) return { words: why.words, hint: this.#createSchema() };
    if (why.code !== noPermission) return why;
    const grant = `grant select, insert on table ${table} to ROLE;`;
    if (right === 'create') {
      const hint = `Let an administrator run this, with the role that Almanac signs in as:\n\n${createTable(table)};\n${grant}`;
      return { words: `the table ${table} does not exist, and the user may not create it`, hint };
    }
    const schema = right === 'insert' ? '' : ', or usage on its schema';
    return {
      words: `the user lacks the permission ${right} on the table ${table}${schema}`,
      hint: `Let an administrator run \`${grant}\`, with the role that Almanac signs in as.`,
    };
  }

  #createSchema(): string {
    const { schema } = this.#place;
    return schema === undefined
      ? 'Name the `schema` in almanac.yaml.'
      : `Let an administrator run \`create schema "${schema}"\`, or correct \`schema\` in almanac.yaml.`;
  }

  #entryOf({ n, body }: SqlRow): LogEntry {
    if (typeof body === 'string') return { n: Number(n), bytes: new TextEncoder().encode(body) };
    throw this.#unreadable('a row of the table is not one that Almanac wrote', 'Repair the table by hand.');
  }

  #unreadable(why: string, hint: string): Failure {
    return inaccessible('read', this.name, why, hint);
  }

  #unfit(why: string, hint: string): Failure {
    return unfit(this.name, why, hint);
  }
}

function bodyOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

function createTable(table: string): string {
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

/** Codes of a failed import, and of what the build makes of it. */
const notFound: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/** The package that users install next to Almanac. Throws Failure state-backend-missing. */
async function loadPg(name: string): Promise<PgPackage> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && notFound.has(error.code))) throw error;
    throw new Failure('state-backend-missing', `${name} needs the package pg, which is not installed.`, {
      hint: 'Run `npm install pg` where Almanac is installed, with --global if Almanac was installed so. The package postgres is no longer used.',
    });
  }
}
