// Which permission a role lacks, for a message that an administrator can act on.

import type { Sql } from 'postgres';
import { noPermission } from './postgres-error.ts';
import type { Statements } from './statements.ts';

/** As the end of a sentence; undefined if nothing is missing that Almanac needs. */
export async function missingPermission(sql: Sql, { table }: Statements): Promise<string | undefined> {
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
