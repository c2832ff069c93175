// The connection to the PostgreSQL server of ALMANAC_STATE_URL, or of PGHOST and the like, as the package reads them: opened
// when it is first used, and again after it was lost. Nothing about the session matters, so what runs on it may be repeated.
//
// Nothing leaves this machine unencrypted, and to another host the certificate is checked unless sslmode is `require`. The
// values may be secret, so no message repeats one.

import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import type { Options, Sql } from 'postgres';
import { parseUrl } from '../../../model/values/parse-url.ts';
import { isLoopback } from '../../../model/workspace/base-url-fault.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Environment } from '../host.ts';
import { interrupted } from '../place-failures.ts';
import { type Attempt, retrying } from '../retrying.ts';
import { explain, noEncryption, type ServerError, timedOut } from './postgres-error.ts';

/** The server failed for good, or at every try. */
export class ServerRefusal extends Error {
  readonly why: ServerError;

  constructor(why: ServerError) {
    super(why.words);
    this.name = 'ServerRefusal';
    this.why = why;
  }
}

export interface Connection {
  /** Up to five times while it fails in a way that may pass. Throws ServerRefusal, and Failure interrupted. */
  run<T>(work: (sql: Sql) => Promise<T>, signal?: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly environment: Environment;
  readonly clock: Clock;
  /** How long a try may take, connecting included. */
  readonly patienceMs: number;
}

type PostgresPackage = (url: string, options: Options<Record<never, never>>) => Sql;

/** How long the server may take to end a connection that is idle. */
const goodbyeSeconds = 0.2;

/** `name`: of the log. Throws Failure missing-secret, usage and state-backend-missing. */
export async function connectPostgres(
  name: string,
  { environment, clock, patienceMs }: ConnectionOptions,
): Promise<Connection> {
  const server = serverOf(environment);
  const postgres = await loadPostgres(name);
  let session: Session | undefined;
  let isClosed = false;
  const attempt = async <T>(
    work: (sql: Sql) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<Attempt<T | ServerRefusal>> => {
    if (isClosed) throw new Error('The log of the state was closed.');
    session ??= openSession(postgres, server);
    const used = session;
    try {
      return { value: await inTime(Promise.race([work(used.sql), used.failed]), patienceMs, signal), again: false };
    } catch (error) {
      const why = explain(error);
      if (!why.keepsConnection) used.drop();
      if (!why.keepsConnection && session === used) session = undefined;
      if (signal?.aborted) throw interrupted();
      return { value: new ServerRefusal(why), again: why.passes && !isClosed };
    }
  };
  return {
    run: async (work, signal) => {
      const done = await retrying({ clock, tries: 5, firstPauseMs: 250, signal }, () => attempt(work, signal));
      if (done instanceof ServerRefusal) throw done;
      return done;
    },
    close: async () => {
      isClosed = true;
      await session?.sql.end({ timeout: goodbyeSeconds }).catch(() => undefined);
      session?.drop();
    },
  };
}

interface Session {
  readonly sql: Sql;
  /** Rejects where the server offers no encryption; otherwise it stays pending. */
  readonly failed: Promise<never>;
  /** Ends it without waiting. */
  drop(): void;
}

/** It has one socket. If that is lost, the package may not open another one, which it would do without a pause: the next try does. */
function openSession(postgres: PostgresPackage, { url, host, port, path, ssl }: Server): Session {
  const cut = new AbortController();
  let isOpened = false;
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  const socket = async (): Promise<Socket> => {
    if (isOpened) throw failure('CONNECTION_CLOSED');
    isOpened = true;
    const opened = connect(path === undefined ? { host, port } : { path }).setNoDelay(true);
    const destroy = () => opened.destroy();
    cut.signal.addEventListener('abort', destroy, { once: true });
    await once(opened, 'connect');
    // From here on the package ends it: what is destroyed below its encryption would fail where nothing catches the error.
    cut.signal.removeEventListener('abort', destroy);
    // Its answer to the question for encryption; more than one byte was put there by somebody else.
    const isRequired = ssl !== false && ssl !== 'prefer';
    if (isRequired) opened.once('data', (answer) => String(answer) === 'S' || fail(failure(noEncryption)));
    // What waits for an answer keeps the process alive by its deadline.
    return opened.unref();
  };
  const options = {
    socket,
    ssl,
    max: 1,
    prepare: false,
    debug: false,
    fetch_types: false,
    // Its timers would keep the process alive; each try has its own.
    connect_timeout: 0,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => undefined,
    connection: { application_name: 'almanac' },
  };
  const sql = postgres(url, options);
  return {
    sql,
    failed,
    drop: () => {
      cut.abort();
      void sql.end({ timeout: 0 }).catch(() => undefined);
    },
  };
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

async function inTime<T>(work: Promise<T>, patienceMs: number, signal: AbortSignal | undefined): Promise<T> {
  let stop: () => void = () => undefined;
  const late = new Promise<never>((_, reject) => {
    stop = () => reject(failure(timedOut));
  });
  const timer = setTimeout(stop, patienceMs);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** What the package is told: the URL, and what decides where the password goes and whether anybody can read it. */
interface Server extends Pick<Options<Record<never, never>>, 'ssl'> {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Of a Unix socket. */
  readonly path?: string;
}

/** Parameters of URLs that providers hand out, which only a client of theirs would know. */
const forClients = new Set([
  'application_name',
  'channel_binding',
  'connect_timeout',
  'gssencmode',
  'pgbouncer',
  'sslmode',
  'sslnegotiation',
  'sslsni',
  'target_session_attrs',
]);
/** Variables of psql that the package does not read, and that would change where or how it connects. */
const unread = ['PGHOSTADDR', 'PGOPTIONS', 'PGSERVICE', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY'];
const urlForm = 'postgresql://USER:PASSWORD@HOST:5432/DATABASE';

/** Throws Failure missing-secret and usage. */
export function serverOf(environment: Environment): Server {
  const { ALMANAC_STATE_URL: text = '', PGHOST = '', PGPORT = '' } = environment;
  if (text === '' && PGHOST === '') {
    throw new Failure('missing-secret', 'The PostgreSQL server of the state is not known.', {
      hint: `Set ALMANAC_STATE_URL to ${urlForm}, or set PGHOST, PGUSER, PGPASSWORD and PGDATABASE.`,
    });
  }
  const set = unread.filter((name) => environment[name]);
  if (set.length > 0) {
    throw usage(
      `Almanac does not use ${set.join(' and ')}, and would connect in another way than psql does.`,
      'Unset it. NODE_EXTRA_CA_CERTS names the certificate of an authority, and `?options=` in ALMANAC_STATE_URL holds settings for the server.',
    );
  }
  const url = text === '' ? undefined : urlOf(text);
  const asked = {
    mode: url?.searchParams.get('sslmode') || environment['PGSSLMODE'],
    binding: url?.searchParams.get('channel_binding') || environment['PGCHANNELBINDING'],
  };
  for (const parameter of forClients) url?.searchParams.delete(parameter);
  const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') || PGHOST || 'localhost';
  const port = url?.port || PGPORT || '5432';
  if (host.includes(',')) throw usage('The address of the state names several hosts.', 'Name one host.');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw usage('The port of the PostgreSQL server of the state is not a port number.', 'Use a number up to 65535.');
  const ssl = sslOf(host, asked.mode, asked.binding === 'require');
  const path = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : undefined;
  return { url: url?.href ?? '', ssl, host, port: Number(port), path };
}

/** A password with `/`, `?` or `#` that is not encoded splits the URL in the wrong place; that is noticed here. */
function urlOf(text: string): URL {
  const url = parseUrl(text);
  if (url === undefined || !/^postgres(?:ql)?:\/\//i.test(text)) throw badUrl('is not a PostgreSQL URL.');
  if (url.hash !== '' || /[/@]/.test(url.pathname.slice(1))) throw badUrl('cannot be split into its parts.');
  if ([url.username, url.password, url.pathname].some((part) => /%(?![0-9a-f]{2})/i.test(part)))
    throw badUrl('has a percent sign that encodes nothing.');
  if (url.hostname.includes('%')) throw badUrl('names a socket. PGHOST names the folder of a socket.');
  for (const name of url.searchParams.keys())
    if (!forClients.has(name) && name !== 'options') throw badUrl('has a parameter that Almanac does not know.');
  return url;
}

/** `isBound`: the package cannot bind to the channel, so the certificate has to prove who answers. */
function sslOf(host: string, mode: string | undefined, isBound: boolean): Server['ssl'] {
  if (host.startsWith('/')) return false;
  const isNear = isLoopback(host.includes(':') ? `[${host}]` : host.toLowerCase());
  const verified = { rejectUnauthorized: true, host, ...(isIP(host) === 0 ? { servername: host } : {}) };
  if (isBound) return verified;
  switch (mode || (isNear ? 'prefer' : 'verify-full')) {
    case 'verify-full':
    case 'verify-ca':
      return verified;
    case 'require':
      return 'require';
    case 'disable':
    case 'allow':
    case 'prefer':
      if (isNear) return mode === 'disable' ? false : 'prefer';
      throw usage(
        `sslmode ${mode} could send the password of the state unencrypted.`,
        'Use sslmode=verify-full, or sslmode=require to encrypt without checking the certificate.',
      );
    default:
      throw usage('The sslmode of the state is not known.', 'Use sslmode=verify-full.');
  }
}

/** Of an import, and of what the build makes of it. */
const notFound: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/** The package that users install next to Almanac. Throws Failure state-backend-missing. */
async function loadPostgres(name: string): Promise<PostgresPackage> {
  try {
    return (await import('postgres')).default;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && notFound.has(error.code))) throw error;
    throw new Failure('state-backend-missing', `${name} needs the package postgres, which is not installed.`, {
      hint: 'Run `npm install postgres` where Almanac is installed, with --global if Almanac was installed so.',
    });
  }
}

function badUrl(words: string): Failure {
  return usage(
    `ALMANAC_STATE_URL ${words}`,
    `Write it as ${urlForm}. In the user name and the password, encode the characters / ? # @ : % as %2F %3F %23 %40 %3A %25.`,
  );
}

function usage(message: string, hint: string): Failure {
  return new Failure('usage', message, { hint });
}
