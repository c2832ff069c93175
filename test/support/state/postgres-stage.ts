// A table in the test server for one test, its logs, and its contents.

import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/files/system.ts';
import type { PostgresPlace } from '../../../src/model/workspace/state-place.ts';
import { openPostgresLog, type PostgresLogOptions } from '../../../src/state/postgres/postgres-log.ts';
import type { StateLog } from '../../../src/state/state-log.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { placeOf } from './place-of.ts';
import { type PostgresServer, postgresServer } from './postgres-server.ts';

export interface PostgresStage {
  readonly server: PostgresServer;
  readonly place: PostgresPlace;
  readonly role: string;
  /** Leads to the server without TLS. */
  readonly proxy: FaultyProxy;
  /** Through the proxy; closed when the test ends. */
  open(options?: Partial<PostgresLogOptions>): Promise<StateLog>;
  /** Creates the table with the SQL of the docs, as an administrator who grants these rights alone. */
  create(rights?: string): Promise<void>;
  /** The numbers and ids in the table. */
  rows(): Promise<readonly { readonly n: number; readonly id: string }[]>;
}

let stages = 0;

/** `settings` are those of the role, such as `synchronous_commit = off`. */
export async function openPostgresStage(settings: readonly string[] = []): Promise<PostgresStage> {
  const server = await postgresServer();
  const role = await server.role(settings);
  const proxy = await startFaultyProxy(server.port);
  stages += 1;
  const place = placeOf({ backend: 'postgres', table: `staged_${stages}` });
  const environment = { ALMANAC_STATE_URL: server.url(role, proxy.port) };
  onTestFinished(() => proxy.close());
  return {
    server,
    place,
    role,
    proxy,
    open: async (options = {}) => {
      const log = await openPostgresLog({ place, root: '/', clock: systemClock, environment, ...options });
      onTestFinished(() => log.close());
      return log;
    },
    create: async (rights = 'select, insert') => {
      const [create = ''] = documentedSql(place.table, role).split(';');
      await server.admin.query(create);
      if (rights !== '') await server.admin.query(`grant ${rights} on ${place.table} to ${role}`);
    },
    rows: async () => {
      const { rows } = await server.admin.query(`select n, id from ${place.table} order by n`);
      return rows.map(({ n, id }) => ({ n: Number(n), id: String(id) }));
    },
  };
}

/** What docs/state-backends.md gives an administrator to run, for this table and role. */
export function documentedSql(table: string, role: string): string {
  const [, sql = ''] = /```sql\n(.*?)```/s.exec(readFileSync('docs/state-backends.md', 'utf8')) ?? [];
  return sql.replaceAll('almanac_log', table).replaceAll(' to almanac;', ` to ${role};`);
}
