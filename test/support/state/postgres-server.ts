// A real PostgreSQL server on loopback, with and without TLS. Only its port has TLS and passwords, not its socket. Ends
// with the process that started it, however that ends. All tests of a file share one: each has its own table.

import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Client, type ClientConfig, Pool } from 'pg';
import { listenOnLoopback } from './loopback.ts';

export interface PostgresServer {
  readonly port: number;
  /** The folder of its socket. */
  readonly folder: string;
  readonly admin: Pool;
  /** The certificate of the server, which is its own authority, for the host localhost. */
  readonly certificate: string;
  /** Over TCP, with the password of that role, and without TLS, so that a proxy can read what passes. */
  url(role: string, port?: number, sslmode?: string): string;
  /** Creates a role that may sign in and create tables; `settings` are defaults such as `synchronous_commit = off`. */
  role(settings?: readonly string[]): Promise<string>;
  /** Starts a standby, which keeps what the server has now. Its port, on which the same passwords are valid. */
  standby(): Promise<number>;
}

/** Programs that refuse to run as root run as this user instead. */
interface Account {
  readonly uid: number;
  readonly gid: number;
}

const password = 'pass/word with ? and #';
const roots = ['/usr/lib/postgresql', '/usr/local/pgsql', '/opt/homebrew/opt'];

/** The folder of `initdb` and `postgres`; undefined where PostgreSQL is not installed. */
export const postgresFolder = findFolder();

/**
 * Whether the tests of PostgreSQL are left out. They never are in CI, where the server must be installed (.ci/run does
 * that); elsewhere they say so.
 */
export function isWithoutPostgres(): boolean {
  if (postgresFolder !== undefined) return false;
  const message = 'PostgreSQL is not installed (initdb and postgres are not found)';
  if (process.env['CI'] !== undefined) throw new Error(`${message}: its tests cannot be left out in CI.`);
  console.warn(`\n  NOT TESTED: the state in PostgreSQL. ${message}.\n`);
  return true;
}

let running: Promise<PostgresServer> | undefined;

export function postgresServer(): Promise<PostgresServer> {
  running ??= start();
  return running;
}

/** Has the owner that servers run as. */
export function serverFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  giveAway(folder);
  return folder;
}

export function giveAway(path: string): void {
  const account = serverAccount();
  if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid);
}

/** Starts a program that the signal ends, and whose folder is removed, when this process ends. */
export function spawnServer(folder: string, program: string, args: readonly string[], signal = 'QUIT'): void {
  const script = '"$0" "$@" >>log 2>&1 </dev/null & read -r _; kill -$SIGNAL $!; wait; cd /; rm -rf "$FOLDER"';
  const child = spawn('sh', ['-c', script, program, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], FOLDER: folder, SIGNAL: signal, LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    ...serverAccount(),
  });
  child.unref();
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
}

export async function freePort(): Promise<number> {
  const { port, close } = await listenOnLoopback(createServer());
  await close();
  return port;
}

/** Throws where no connection can be made. */
export async function reach(where: ClientConfig): Promise<void> {
  const client = new Client(where);
  await client.connect().finally(() => client.end());
}

/** Resolves when `connect` does. */
export async function untilUp<T>(folder: string, connect: () => Promise<T>): Promise<T> {
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      if (Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
      else
        throw new Error(`The server does not start:\n${readFileSync(join(folder, 'log'), 'utf8')}`, { cause: error });
    }
  }
}

async function start(): Promise<PostgresServer> {
  const programs = postgresFolder;
  if (programs === undefined) throw new Error('PostgreSQL is not installed.');
  const folder = serverFolder('almanac-pg-');
  const data = join(folder, 'data');
  const account = serverAccount();
  const options = { cwd: folder, ...account };
  const initdb = ['-D', data, '-U', 'admin', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  const environment = { PATH: process.env['PATH'], LC_ALL: 'C' };
  execFileSync(join(programs, 'initdb'), initdb, { ...options, env: environment, stdio: 'pipe' });
  const rules = [
    'local all all trust',
    'local replication all trust',
    'hostnossl all encrypted 127.0.0.1/32 reject',
    'host all all 127.0.0.1/32 scram-sha-256',
  ];
  writeFileSync(join(data, 'pg_hba.conf'), `${rules.join('\n')}\n`);
  const certificate = makeCertificate(data, options);
  const port = await freePort();
  // fsync is about a crash of the machine, which no test brings about. A late writer of the log shows what is not durable.
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: '150',
    fsync: 'off',
    wal_writer_delay: '10s',
    ssl: 'on',
    ssl_cert_file: certificate,
    ssl_key_file: join(data, 'server.key'),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  spawnServer(folder, join(programs, 'postgres'), ['-D', data, '-p', String(port), ...flags]);
  // An open connection would keep a program alive that has nothing else to do, such as the bench.
  const admin = new Pool({ host: folder, port, user: 'admin', database: 'postgres', max: 4, allowExitOnIdle: true });
  admin.on('error', () => undefined);
  await untilUp(folder, () => admin.query('select 1'));
  let roles = 0;
  return {
    port,
    folder,
    admin,
    certificate,
    url: (role, at = port, sslmode = 'disable') =>
      `postgres://${role}:${encodeURIComponent(password)}@localhost:${at}/postgres?sslmode=${sslmode}`,
    role: async (defaults = []) => {
      roles += 1;
      const role = `role_${roles}`;
      await admin.query(`create role ${role} login password '${password}'`);
      await admin.query(`grant create on schema public to ${role}`);
      for (const setting of defaults) await admin.query(`alter role ${role} set ${setting}`);
      return role;
    },
    standby: async () => {
      const [copy, at] = [join(folder, 'standby'), await freePort()];
      const source = ['-h', folder, '-p', String(port), '-U', 'admin', '--checkpoint=fast', '--no-sync'];
      execFileSync(join(programs, 'pg_basebackup'), [...source, '-D', copy], { ...options, stdio: 'pipe' });
      writeFileSync(join(copy, 'standby.signal'), '');
      spawnServer(serverFolder('almanac-pg-'), join(programs, 'postgres'), ['-D', copy, '-p', String(at), ...flags]);
      await untilUp(folder, () => reach({ host: folder, port: at, user: 'admin', database: 'postgres' }));
      return at;
    },
  };
}

function makeCertificate(data: string, options: Partial<Account> & { readonly cwd: string }): string {
  const certificate = join(data, 'server.crt');
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', join(data, 'server.key'), '-out', certificate];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...name, ...files];
  execFileSync('openssl', args, { ...options, stdio: 'pipe' });
  return certificate;
}

function serverAccount(): Partial<Account> {
  if (process.getuid?.() !== 0) return {};
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = lines.find((each) => each.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error('There is no user nobody to run PostgreSQL as.');
  return { uid: Number(uid), gid: Number(gid) };
}

function findFolder(): string | undefined {
  const versions = roots.filter(existsSync).flatMap((root) => {
    const names = readdirSync(root).sort((a, b) => Number(b.replace(/\D/g, '')) - Number(a.replace(/\D/g, '')));
    return names.map((name) => join(root, name, 'bin'));
  });
  const path = (process.env['PATH'] ?? '').split(delimiter);
  const found = [...path, ...versions].find((each) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(each, name))),
  );
  // Debian and others only link some programs into the folders of PATH.
  return found && dirname(realpathSync(join(found, 'initdb')));
}
