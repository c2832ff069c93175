// The statements of a log. Each works in any mode of a pooler, and needs only select and insert on the table.

import type { PostgresPlace } from '../../../model/workspace/state-place.ts';
import { quotedTable } from '../../../render/state/postgres-sql.ts';

export interface Statements {
  readonly table: string;
  readonly isThere: string;
  readonly read: string;
  readonly entry: string;
  readonly append: string;
  readonly owner: string;
}

/** Throws Failure usage for names that are not accepted. */
export function statementsFor(place: PostgresPlace): Statements {
  const table = quotedTable(place);
  return {
    table,
    isThere: `select to_regclass('${table}') is not null as there`,
    // Always one row at least, so that an empty log is told from one that this server or role does not show.
    read: `select log.n, log.kind, log.body, server.standby, server.filtered
      from (select pg_is_in_recovery() as standby, row_security_active('${table}'::regclass) as filtered) as server
      left join (
        select n, kind, body from ${table}
        where name = $1::text and n > $2::bigint and n >= coalesce(
          (select n from ${table} where name = $1::text and kind = 'commit' order by n desc limit 1), 0)
      ) as log on true
      order by log.n`,
    entry: `select n, body from ${table} where name = $1::text and n = $2::bigint`,
    // A role or a database may have switched synchronous_commit off. It is decided when the transaction ends, and this
    // statement is the whole transaction, so it can set it for itself. Only remote_apply promises more than on.
    append: `insert into ${table} (name, n, id, kind, title, body)
      select $1::text, $2::bigint, $3::uuid, $4::text, $5::text, $6::text
      from (
        select set_config('synchronous_commit',
          case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end,
          true) as durability
      ) as setting
      where durability <> 'off'
        and ($2::bigint = 1 or exists (select 1 from ${table} where name = $1::text and n = $2::bigint - 1))
      on conflict (name, n) do nothing`,
    owner: `select case when id = $3::uuid then body end as body from ${table} where name = $1::text and n = $2::bigint`,
  };
}
