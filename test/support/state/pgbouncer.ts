// A real PgBouncer in front of a test server. Each transaction goes to whichever connection is free. PgBouncer runs
// where it is installed, or where PGBOUNCER names it.

import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  freePort,
  giveAway,
  type PostgresServer,
  reach,
  serverFolder,
  spawnServer,
  untilUp,
} from './postgres-server.ts';

const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];

/** The program; undefined where it is not installed. */
export const pgbouncer =
  process.env['PGBOUNCER'] ?? folders.map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file));

export interface Pooler {
  readonly port: number;
  /** At this port, or at that of a proxy; without a password. */
  url(port?: number): string;
}

export async function startPooler(server: PostgresServer): Promise<Pooler> {
  if (pgbouncer === undefined) throw new Error('PgBouncer is not installed.');
  const folder = serverFolder('almanac-pgbouncer-');
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 3,
    max_client_conn: 200,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const database = `host=${server.folder} port=${server.port} user=admin dbname=postgres`;
  writeFileSync(file, ['[databases]', `postgres = ${database}`, '[pgbouncer]', ...lines, ''].join('\n'));
  giveAway(file);
  spawnServer(folder, pgbouncer, [file], 'TERM');
  const url = (at = port) => `postgres://admin@127.0.0.1:${at}/postgres`;
  await untilUp(folder, () => reach({ connectionString: url(), connectionTimeoutMillis: 1000 }));
  return { port, url };
}
